/** Benchmarks search through REST beside a read of one conversation, a tsvector query and Meilisearch. */
import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { startServer } from '../../src/cli/eval/server-process.js';
import { makeCorpus, TENANT } from '../support/corpus.js';
import { createRandom } from '../support/random.js';
import { readOptions } from '../support/read-options.js';
import { startBenchDatabase } from '../support/start-bench-database.js';
import { askInRounds, type Target } from './ask-in-rounds.js';
import { createHttpClient } from './http-client.js';
import {
  AS_TYPED,
  CONVERSATION,
  filtered,
  type Measurement,
  SEARCH,
  SUGGESTIONS,
  TRPC_SEARCH,
  TSVECTOR,
  toMeasurement,
} from './measurement.js';
import { startMeilisearchServer } from './meilisearch.js';
import { readChunkBytes, waitUntilMerged, withChangedChunks } from './postings.js';
import {
  CHANGED,
  FILTERED_KINDS,
  FILTERS,
  type FilterKind,
  OTHER_FILTERS,
  QUESTION_KINDS,
} from './questions.js';
import { describe, type Report } from './report.js';
import { getConversation, searchByRest, searchByTrpc, suggestByTrpc } from './rest.js';
import { measureThroughput } from './throughput.js';
import { createTsvectorTable } from './tsvector.js';

const USAGE = `Usage: npm run bench -- search [--chunks N] [--neighbours N] [--requests N] [--rival-chunks N] [--filters]
                              [--vacuum] [--seed N] [--json]

Makes chunks of invented words in an embedded database of its own: one large tenant and small ones. Starts a server on
it, waits until the chunks are in the search index, and searches through REST with questions of several kinds. Measures
alternately, with the same questions: a GET of one conversation, by whose median all medians are divided; the search
through tRPC with and without corrections of mistyped words, and with filters that leave 50 %, 1 % and .01 % of the chunks,
by whose medians without a filter these are divided; suggestions for the unfinished question; a query of a
tsvector column with a GIN index in the same database; and with MEILI_URL a server whose engine is that Meilisearch
server, and plain queries of its index, which is deleted afterwards. Needs MEILI_ADMIN_KEY where Meilisearch has a
master key. Autovacuum is off: without --vacuum the planner has no statistics.

  --chunks N        of the large tenant; default 100000
  --neighbours N    small tenants, of 200 chunks each; default 50
  --requests N      of each kind; default 60
  --rival-chunks N  most chunks for which the tsvector column is made; default 100000
  --filters         measure filters of more kinds, and nothing but these
  --vacuum          measure once more after vacuum analyze
  --seed N          of the questions; default 1
  --json            print JSON

Status 0 when all was measured, 1 after a failure, 2 when called wrongly. Progress goes to standard error.`;

/** Above so many chunks the tsvector query takes seconds, and is asked less often. */
const MANY_CHUNKS = 50_000;
const FEW_REQUESTS = 10;

const options = readOptions(USAGE, {
  chunks: 100_000,
  neighbours: 50,
  requests: 60,
  'rival-chunks': 100_000,
  filters: false,
  vacuum: false,
  seed: 1,
});
const { chunks, neighbours, requests } = options;
const random = createRandom(options.seed);
/** Run in reverse order at the end. */
const cleanups: (() => unknown)[] = [];
try {
  const report = await run();
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : describe(report));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}

async function run(): Promise<Report> {
  const { url, dataDir, db } = await startBenchDatabase(cleanups);
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    AUTH_MODE: 'open',
    LOG_LEVEL: 'warn',
  };

  const corpus = await timed(() => makeCorpus(db, { chunks, neighbours, onProgress: reportStep }));
  const server = await startServer({ env });
  cleanups.push(server.stop);
  const merge = await waitUntilMerged(db, (changes) => log(`${changes} documents wait to be merged`));
  const http = createHttpClient(server.address);
  const search = searchByRest(http, SEARCH);
  const byFilter = (kinds: FilterKind[]) =>
    kinds.map(({ name, draw }) =>
      searchByTrpc(http, filtered(name), {
        filterOf: ({ datasets }) => draw(random, { chunks, datasets }),
      }),
    );
  const targets = [
    await getConversation(http, CONVERSATION),
    search,
    searchByTrpc(http, TRPC_SEARCH),
    searchByTrpc(http, AS_TYPED, { typos: false }),
    ...(options.filters ? byFilter(OTHER_FILTERS) : [suggestByTrpc(http, SUGGESTIONS), ...byFilter(FILTERS)]),
  ];
  const report: Report = {
    chunks,
    neighbours,
    requests,
    seconds: { corpus, merge },
    bytesPerChunk: await readChunkBytes(db),
    measurements: [],
  };
  if (!options.filters) {
    await addTsvectorTable(url, targets, report);
    await addMeilisearch(env, { db, targets, report });
  }

  report.measurements.push(await measure(db, { targets, search, isVacuumed: false }));
  if (options.vacuum) {
    log('vacuum analyze');
    await sql`vacuum analyze`.execute(db);
    report.measurements.push(await measure(db, { targets, search, isVacuumed: true }));
  }
  http.close();
  return report;
}

async function addTsvectorTable(url: string, targets: Target[], report: Report): Promise<void> {
  if (chunks > options['rival-chunks']) {
    log(`No tsvector column is made for more than ${options['rival-chunks']} chunks.`);
    return;
  }
  log('making the tsvector column');
  const few = chunks > MANY_CHUNKS && { maxRequests: FEW_REQUESTS };
  const table = await createTsvectorTable(url, { name: TSVECTOR, ...few });
  cleanups.push(table.drop);
  targets.push(table.target);
  report.seconds.tsvector = table.seconds;
}

async function addMeilisearch(
  env: NodeJS.ProcessEnv,
  { db, targets, report }: { db: Database; targets: Target[]; report: Report },
): Promise<void> {
  if (!process.env.MEILI_URL) return;
  log('filling the Meilisearch index');
  const { id } = await db
    .selectFrom('documents')
    .select('id')
    .where('tenantId', '=', TENANT)
    .limit(1)
    .executeTakeFirstOrThrow();
  const meilisearch = await startMeilisearchServer(env, id);
  cleanups.push(meilisearch.stop);
  targets.push(...meilisearch.targets);
  report.seconds.meilisearch = meilisearch.seconds;
}

async function measure(
  db: Database,
  { targets, search, isVacuumed }: { targets: Target[]; search: Target; isVacuumed: boolean },
): Promise<Measurement> {
  log('asking');
  const kinds = options.filters ? FILTERED_KINDS : QUESTION_KINDS;
  const asked = await askInRounds(kinds, targets, { requests, random });
  if (options.filters) return toMeasurement(asked, { isVacuumed, throughput: [] });
  log('asking while chunks have changed');
  await withChangedChunks(db, async () => {
    asked.push(...(await askInRounds([CHANGED], targets, { requests, random })));
  });
  await waitUntilMerged(db, () => {});
  log('asking by several callers');
  const throughput = await measureThroughput(search, { requests, random });
  return toMeasurement(asked, { isVacuumed, throughput });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

function reportStep(made: number): void {
  if (made % 50_000 === 0) log(`${made} chunks are made`);
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
