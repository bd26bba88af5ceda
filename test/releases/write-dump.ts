import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { version } from '../../src/config/version.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { startEmbeddingServer } from '../support/embedding-server.js';
import { createEmptyDatabase } from '../support/postgres.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { readAnswers } from './answers.js';
import { findEmptyTables } from './catalog.js';
import { recordMigrations, writeDump } from './dump.js';
import { addRows, useServer } from './fill.js';
import { RELEASES } from './releases.js';

const MAX_BYTES = 100 * 1024;

/* `npx vitest run --project dump`: keeps what a server of this version leaves in its database, and what it answers then. */

test(`the dump of ${version}`, async () => {
  const [database, folder] = await Promise.all([createEmptyDatabase(), makeDataDir('release')]);
  const embedding = await startEmbeddingServer();
  const schema = await recordMigrations(database.url, version);
  const client = connectUnscoped(database.url, { max: 2 });
  const env = { DATA_DIR: folder.dataDir, DATABASE_URL: database.url, FETCH_ALLOW_HOSTS: '127.0.0.1' };
  const servers: ServerProcess[] = [];
  const start = async (more: Record<string, string>) => {
    const server = await startServerProcess({ ...env, ...more });
    servers.push(server);
    return server;
  };
  try {
    const server = await start({ EMBEDDING_URL: embedding.url, EMBEDDING_MODEL: 'words' });
    await useServer(server.address, client);
    await server.end('SIGTERM');
    await addRows(client);
    expect(await findEmptyTables(client.pool)).toEqual([]);

    // Without workers, nothing changes any more.
    const reader = await start({ ROLE: 'api' });
    const answers = await readAnswers(reader.address);
    await reader.end('SIGTERM');
    mkdirSync(RELEASES, { recursive: true });
    writeFileSync(`${RELEASES}/${version}.json`, `${JSON.stringify(answers)}\n`);
    await writeDump(`${RELEASES}/${version}.sql.gz`, schema, client.pool);
    expect(statSync(`${RELEASES}/${version}.sql.gz`).size).toBeLessThan(MAX_BYTES);
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
    await client.close();
    await embedding.close();
    await folder.remove();
    await database.drop();
  }
});
