/** Compares what the search engines find with an exhaustive search. */

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { connectDatabase } from '../../db/client.js';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { type Collection, languageOf, readCollection } from '../../src/cli/eval/collection.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { describeNew } from '../../src/derived-data/describe-documents.js';
import type { ChunkIndex, ChunkQuery } from '../../src/search/chunk-index.js';
import { writeChunkChanges } from '../../src/search/indexing/index-writer.js';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { createMeilisearchEngine } from '../../src/search/meilisearch/engine.js';
import { createPostgresEngine } from '../../src/search/postgres/engine.js';
import { QUESTION_KINDS } from '../search/questions.js';
import { makeCorpus, TENANT } from '../support/corpus.js';
import { createExhaustiveSearch, overlapAt10 } from '../support/exhaustive-bm25.js';
import { mergeAll } from '../support/merge-all.js';
import { createRandom } from '../support/random.js';
import { readOptions } from '../support/read-options.js';
import { removeIndexes } from '../support/remove-indexes.js';
import { drainBacklog } from '../sync/drain-outbox.js';

const USAGE = `Usage: npm run bench -- overlap [--collections NAMES] [--chunks N] [--questions N] [--json]

Compares the best ten of each search engine with those of a search that scores every chunk, on test collections, each
document as one chunk, and on a corpus of invented words. Prints the share that was found, of equal scores any. With
MEILI_URL also for Meilisearch, in an index of its own, and in brackets the share of the questions that it answered and did
not leave to PostgreSQL; needs MEILI_ADMIN_KEY where Meilisearch has a master key.

  --collections NAMES  separated by commas, as for lectern eval; default scifact,cranfield,cmrc2018,stard,xquad-zh
  --chunks N           of invented words; default 100000
  --questions N        most of each collection, and of each kind of invented ones; default 100
  --json               print JSON

Status 0 when all was compared, 1 after a failure, 2 when called wrongly. Progress goes to standard error.`;

const { collections, chunks, questions, json } = readOptions(USAGE, {
  collections: 'scifact,cranfield,cmrc2018,stard,xquad-zh',
  chunks: 100_000,
  questions: 100,
});

type Question = Pick<ChunkQuery, 'tenantId' | 'tenantUnitId' | 'datasetIds' | 'text' | 'language'>;
interface Overlap {
  corpus: string;
  questions: number;
  /** By engine. */
  overlap: Record<string, EngineOverlap>;
}

interface EngineOverlap {
  /** Mean share of the best ten. */
  found: number;
  /** Share of the questions that it answered; PostgreSQL answered the others. */
  answered: number;
}

const meilisearch = process.env.MEILI_URL
  ? connectMeilisearch({
      url: process.env.MEILI_URL,
      adminKey: process.env.MEILI_ADMIN_KEY,
      prefix: `lectern-bench-${randomBytes(4).toString('hex')}_`,
      searchTimeoutMs: 60_000,
    })
  : undefined;
const { dataDir, remove } = await makeDataDir('bench');
const database = await startEmbedded({ dataDir });
const { db: guarded, close } = connectDatabase(database.url, { max: 5 });
const db = unscoped(guarded, 'The chunks of several tenants are made and read.');
try {
  await migrateToLatest(database.url);
  const results = await compareAll();
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : describe(results));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  if (meilisearch) await removeIndexes(meilisearch, [meilisearch.indexUid]);
  await close();
  await database.stop();
  await remove();
}

async function compareAll(): Promise<Overlap[]> {
  const asked = new Map<string, Question[]>();
  for (const name of collections.split(',')) {
    const collection = await readCollection(name);
    log(`${name}: storing ${collection.documents.length} chunks`);
    await storeCollection(db, collection);
    asked.set(name, collectionQuestions(collection));
  }
  log(`making ${chunks} chunks of invented words`);
  await makeCorpus(db, { chunks, neighbours: 0, onProgress: () => {} });
  for (const [kind, list] of inventedQuestions()) asked.set(kind, list);
  for (const tenantId of [...collections.split(','), TENANT]) await mergeAll(db, tenantId);
  const postgres = createPostgresEngine({ db });
  const engines: ChunkIndex[] = [postgres];
  if (meilisearch) {
    await drainBacklog(db, meilisearch, (waiting) => log(`${waiting} chunks wait for Meilisearch`));
    engines.push(createMeilisearchEngine({ db, server: meilisearch, postgres }));
  }
  const results: Overlap[] = [];
  for (const [corpus, list] of asked) {
    log(`${corpus}: asking ${list.length} questions`);
    results.push({ corpus, questions: list.length, overlap: await compare(engines, list) });
  }
  return results;
}

/** All questions are asked in the same datasets. */
async function compare(engines: ChunkIndex[], list: Question[]): Promise<Record<string, EngineOverlap>> {
  const [place] = list;
  if (!place) return {};
  const search = createExhaustiveSearch(await readTokens(place));
  const overlaps: Record<string, EngineOverlap> = {};
  for (const { engine } of engines) overlaps[engine] = { found: 0, answered: 0 };
  for (const question of list) {
    const best = search(question.text, question.language);
    for (const { engine, search: ask } of engines) {
      const outcome = await ask({ ...question, limit: 20, typos: false });
      const overlap = overlaps[engine] as EngineOverlap;
      const ids = outcome.candidates.map(({ chunkId }) => chunkId);
      overlap.found += overlapAt10(ids, best) / list.length;
      overlap.answered += Number(outcome.engine === engine) / list.length;
    }
  }
  return overlaps;
}

async function readTokens({ tenantId, tenantUnitId, datasetIds }: Question) {
  const { rows } = await sql<{ id: string; tokens: string }>`
    select c.id, t.terms as tokens
    from chunks as c join chunk_terms as t on t.chunk_id = c.id
    where c.tenant_id = ${tenantId} and c.tenant_unit_id = any(${[tenantUnitId].flat()}) and exists (
      select from document_datasets as s
      where s.tenant_id = c.tenant_id and s.document_id = c.document_id and s.dataset_id = any(${datasetIds}))
  `.execute(db);
  return rows;
}

async function storeCollection(to: Database, { name, documents }: Collection): Promise<void> {
  const place = { tenantId: name, tenantUnitId: 'main' };
  const now = new Date();
  for (const { title, text } of documents) {
    if (`${title}${text}`.trim() === '') continue;
    const [documentId, chunkId] = [uuid(), uuid()];
    const times = { createdTime: now, updatedTime: now };
    const document = {
      documentType: 'UnstructuredFile',
      source: 'content',
      status: 'ready',
      chunkCount: 1,
    } as const;
    const row = await to
      .insertInto('documents')
      .values({ ...place, id: documentId, ...document, ...times, datasetIds: ['all'] })
      .returningAll()
      .executeTakeFirstOrThrow();
    await describeNew(to, name, [row]);
    const chunk = {
      ordinal: 0,
      sourceHash: '',
      content: text,
      contentComplement: title,
      keywords: '{}',
      metadata: '{}',
    };
    await to
      .insertInto('chunks')
      .values({ ...place, id: chunkId, documentId, ...chunk, ...times })
      .execute();
    await writeChunkChanges(to, { tenantId: name, documentId, edited: [chunkId] });
  }
}

function collectionQuestions(collection: Collection): Question[] {
  const place = { tenantId: collection.name, tenantUnitId: 'main', datasetIds: ['all'] };
  const language = languageOf(collection);
  return collection.queries.slice(0, questions).map(({ text }) => ({ ...place, text, language }));
}

/** By kind: each in the datasets that the first of its kind is asked in. */
function inventedQuestions(): [string, Question[]][] {
  const random = createRandom(1);
  return QUESTION_KINDS.map(({ name, draw }) => {
    const { unit: tenantUnitId, datasets: datasetIds } = draw(random);
    const list = Array.from({ length: questions }, () => {
      const { text, language } = draw(random);
      return { tenantId: TENANT, tenantUnitId, datasetIds, text, language };
    });
    return [`${chunks} chunks, ${name}`, list];
  });
}

function describe(results: Overlap[]): string {
  const engines = Object.keys(results[0]?.overlap ?? {});
  const rows = results.map(({ corpus, questions: asked, overlap }) => {
    const shares = engines.map((engine) => {
      const { found, answered } = overlap[engine] as EngineOverlap;
      return `${found.toFixed(3)}${answered < 0.9995 ? ` (${(100 * answered).toFixed(0)} %)` : ''}`;
    });
    return `| ${[corpus, asked, ...shares].join(' | ')} |`;
  });
  return [
    `| ${['corpus', 'questions', ...engines].join(' | ')} |`,
    `|---|---:|${'---:|'.repeat(engines.length)}`,
    ...rows,
    '',
  ].join('\n');
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
