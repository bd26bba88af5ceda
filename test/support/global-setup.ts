import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import { createTemplate, dropTemplate } from './postgres.js';
import { roomInMemory } from './room-in-memory.js';

/** Nothing here needs to outlive the machine, so nothing waits for the disk. */
const FLAGS = ['--fsync=off', '--synchronous_commit=off', '--full_page_writes=off', '--max_connections=200'];

/** Once per run: one server (or TEST_DATABASE_URL) with one migrated template for every test database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const template = await createTemplate(server.url, migrateToLatest).catch(async (error) => {
    await server.stop();
    throw error;
  });
  project.provide('postgresUrl', server.url);
  project.provide('postgresTemplate', template);
  return async () => {
    await dropTemplate(server.url, template);
    await server.stop();
  };
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { TEST_DATABASE_URL: url } = process.env;
  if (url) return { url, stop: async () => {} };
  const dataDir = fs.mkdtempSync(path.join(roomInMemory() ?? os.tmpdir(), 'lectern-test-'));
  fs.chmodSync(dataDir, 0o755); // started by root, the server runs under an account that must get in
  const server = await startEmbedded({ dataDir, flags: FLAGS });
  const stop = async () => {
    await server.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}
