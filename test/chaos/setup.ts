import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../bench/support/random.js';
import type { Lectern } from '../../src/client/index.js';
import { FIXTURES, type FixtureTexts, fixtureFile } from './load/files.js';
import type { Traffic } from './load/traffic.js';
import { createTypedClient } from './load/typed-calls.js';
import { subscribe } from './load/webhooks.js';
import { createWrites } from './load/write.js';
import type { Model } from './model/model.js';
import type { Consumer } from './peers/consumer.js';
import { runCommand } from './topology/commands.js';

export const TENANTS = ['red', 'green', 'blue'];
/** What it has is only looked at before the first kill. */
const CALM_TENANT = 'calm';
const PATIENCE_MS = 120_000;
const PAGE_SIZE = 100;

export interface Setup {
  /** A key of each tenant, which may do everything. */
  keys: Map<string, string>;
  fixtures: FixtureTexts;
}

/** Before the first kill: a key and a lasting webhook for each tenant, and what the fixtures are split into. */
export async function prepareTenants(
  env: NodeJS.ProcessEnv,
  {
    model,
    traffic,
    consumer,
    random,
  }: { model: Model; traffic: Traffic; consumer: Consumer; random: Random },
): Promise<Setup> {
  const tenants = [...TENANTS, CALM_TENANT];
  const made = await Promise.all(tenants.map((tenant) => createKey(tenant, env)));
  const keys = new Map(tenants.map((tenant, place) => [tenant, made[place] ?? '']));
  for (const tenantId of TENANTS) {
    const lectern = createTypedClient(traffic, keys.get(tenantId) ?? '');
    const { write } = createWrites(random, model.faults);
    await subscribe({ lectern, model, tenantId, consumer, write }, `${tenantId}-all`, { isLasting: true });
  }
  const calm = createTypedClient(traffic, keys.get(CALM_TENANT) ?? '');
  const texts = Object.keys(FIXTURES).map(
    async (fixture) => [fixture, await readTexts(calm, fixture)] as const,
  );
  keys.delete(CALM_TENANT);
  return { keys, fixtures: new Map(await Promise.all(texts)) };
}

async function createKey(tenant: string, env: NodeJS.ProcessEnv): Promise<string> {
  const made = await runCommand(['keys', 'create', '--tenant', tenant, '--name', 'chaos', '--admin'], env);
  if (made.status !== 0) throw new Error(`No key for ${tenant}: ${made.errors}`);
  return made.output.trim();
}

async function readTexts({ addFile, trpc }: Lectern, fixture: string): Promise<string[]> {
  const { fileName, mediaType, bytes } = fixtureFile(fixture, 'fixture');
  const scope = { tenantId: CALM_TENANT, tenantUnitId: 'unit' };
  const { id } = await addFile(bytes, {
    scope,
    fileName,
    mediaType,
    documentName: fixture,
    documentType: 'UnstructuredFile',
  });
  const ref = { scope: { tenantId: CALM_TENANT }, documentId: id };
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { status, error } = await trpc.documents.get.query(ref);
    if (status === 'ready') break;
    if (status === 'failed' || performance.now() > deadline) {
      throw new Error(`${fixture} is ${status}: ${error?.message}`);
    }
    await delay(100);
  }
  const { items } = await trpc.chunks.list.query({ ...ref, pageSize: PAGE_SIZE });
  return items.map(({ content }) => content);
}
