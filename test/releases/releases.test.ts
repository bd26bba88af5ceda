import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { migrateToLatest } from '../../db/migrate.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { version } from '../../src/config/version.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createEmptyDatabase, createTestDatabase } from '../support/postgres.js';
import { startServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { connect, readAnswers } from './answers.js';
import { describeSchema, findEmptyTables } from './catalog.js';
import { restoreDump } from './dump.js';
import { RELEASES, releases } from './releases.js';

/* What each release left in its database, under this version. */

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

async function restore(release: string) {
  const [database, folder] = await Promise.all([createEmptyDatabase(), makeDataDir('release')]);
  const client = connectUnscoped(database.url, { max: 2 });
  ends.push(database.drop, folder.remove, client.close);
  await restoreDump(`${RELEASES}/${release}.sql.gz`, client.pool, database.role);
  return { ...client, env: { DATA_DIR: folder.dataDir, DATABASE_URL: database.url } };
}

test('there is a dump of the latest release', () => {
  expect(releases()).toContain(version);
});

test.each(releases())('the database of %s is upgraded, and answers as before', async (release) => {
  const { pool, env } = await restore(release);
  expect(await findEmptyTables(pool)).toEqual([]);
  await migrateToLatest(env.DATABASE_URL, { version });
  const fresh = await createTestDatabase();
  const freshClient = connectUnscoped(fresh.url, { max: 1 });
  ends.push(fresh.drop, freshClient.close);
  expect(await describeSchema(pool)).toEqual(await describeSchema(freshClient.pool));

  // Without workers, nothing changes on its own.
  const reader = await startServerProcess({ ...env, ROLE: 'api' });
  const recorded = JSON.parse(readFileSync(`${RELEASES}/${release}.json`, 'utf8'));
  expect(await readAnswers(reader.address)).toMatchObject(recorded);
  expect(await reader.end('SIGTERM')).toBe(0);

  const server = await startServerProcess(env);
  ends.push(() => server.end('SIGTERM'));
  const trpc = connect(server.address);
  const scope = { tenantId: 'acme', tenantUnitId: 'unit' };
  const { id: documentId } = await trpc.documents.create.mutate({
    scope,
    datasetIds: ['faq'],
    documentType: 'UnstructuredFile',
    documentContent: 'Herons stand in shallow water.',
  });
  await waitFor(async () => (await trpc.documents.get.query({ scope, documentId })).status === 'ready', {
    what: 'a new document to be processed',
  });
  const hits = await trpc.chunks.search.query({ scope, datasetIds: ['faq'], query: 'herons' });
  expect(hits.map((hit) => hit.documentId)).toEqual([documentId]);
});
