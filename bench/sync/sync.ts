/** Benchmarks the outbox sync against a bulk load of the same chunks into Meilisearch. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { connectDatabase } from '../../db/client.js';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { makeCorpus } from '../support/corpus.js';
import { readOptions } from '../support/read-options.js';
import { removeIndexes } from '../support/remove-indexes.js';
import { loadInBulk, preparePayloads } from './bulk-load.js';
import { drainBacklog } from './drain-outbox.js';

const USAGE = `Usage: npm run bench -- sync [--chunks N] [--order bulk-first|sync-first] [--json]

Makes chunks of invented words in an embedded database of its own, and brings them into the Meilisearch server at
MEILI_URL twice, into indexes of its own: in as few and as large payloads as the server takes, and through the outbox
as the service does. Prints both times and their ratio. Needs MEILI_ADMIN_KEY where the server has a master key.

  --chunks N    default 100000
  --order WHAT  which comes first; default bulk-first
  --json        print JSON

Status 0 when both were measured, 1 after a failure, 2 when called wrongly. Progress goes to standard error.`;

const { chunks, order, json } = readOptions(
  USAGE,
  { chunks: 100_000, order: 'bulk-first' },
  requireOrderAndServer,
);
const prefix = `lectern-bench-${randomBytes(4).toString('hex')}_`;
const server = connectMeilisearch({
  url: process.env.MEILI_URL ?? '',
  adminKey: process.env.MEILI_ADMIN_KEY,
  prefix,
  searchTimeoutMs: 10_000,
});
const { dataDir, remove } = await makeDataDir('bench');
const database = await startEmbedded({ dataDir });
const { db: walled, close } = connectDatabase(database.url, { max: 5 });
const db = unscoped(walled, 'What is measured is the index of all tenants.');
try {
  await migrateToLatest(database.url);
  await measure();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await close();
  await database.stop();
  await remove();
}

async function measure(): Promise<void> {
  const { adminClient } = server;
  if (!adminClient) throw new Error('Set MEILI_ADMIN_KEY: indexes are made.');
  const bulkUid = `${prefix}bulk`;
  try {
    const onProgress = (made: number) => {
      if (made % 20_000 === 0) log(`${made} chunks are made`);
    };
    await makeCorpus(db, { chunks, neighbours: 0, onProgress });
    await sql`analyze`.execute(db);
    const seconds = { bulk: 0, sync: 0 };
    const bulk = async () => {
      const payloads = await preparePayloads(db);
      log(`sending ${payloads.length} payloads`);
      seconds.bulk = await loadInBulk(adminClient, bulkUid, payloads);
      log(`bulk: ${seconds.bulk.toFixed(1)} s`);
    };
    const sync = async () => {
      seconds.sync = await drainBacklog(db, server, (waiting) => log(`${waiting} chunks wait`));
      log(`sync: ${seconds.sync.toFixed(1)} s`);
    };
    for (const one of order === 'bulk-first' ? [bulk, sync] : [sync, bulk]) await one();
    const ratio = seconds.bulk / seconds.sync;
    process.stdout.write(
      json
        ? `${JSON.stringify({ chunks, order, seconds, ratio })}\n`
        : `${chunks} chunks, ${order}: bulk ${seconds.bulk.toFixed(1)} s, sync ${seconds.sync.toFixed(1)} s, ratio ${ratio.toFixed(2)}\n`,
    );
  } finally {
    await removeIndexes(server, [bulkUid, server.indexUid]);
  }
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

function requireOrderAndServer({ order }: { order: string }): void {
  if (order !== 'bulk-first' && order !== 'sync-first')
    throw new Error('The order is bulk-first or sync-first.');
  if (!process.env.MEILI_URL) throw new Error('Set MEILI_URL to the address of a Meilisearch server.');
}
