import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { createRandom } from '../../bench/support/random.js';
import { readConfig } from '../../src/config/config.js';
import { readUsage } from '../../src/services/shared/tenant-usage.js';
import { countTenant, deleteTenant } from '../../src/services/tenants/delete-tenant.js';
import { createLocalDisk } from '../../src/storage/local-disk.js';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { waitFor } from '../support/wait-for.js';
import { findDrift } from './support/find-drift.js';
import {
  type DocumentAction,
  type DocumentModel,
  type Documents,
  documentActions,
  type Raced,
} from './support/races/document-actions.js';
import { hasPossibleOrder } from './support/races/possible-order.js';
import { type Called, sendCall } from './support/races/send-call.js';

/* Each state of a document, and each action with others at the same moment. RACES_SEED and RACES_ROUNDS ask for more. */

const SEED = Number(process.env.RACES_SEED ?? 1);
/** Of each action in each state. */
const ROUNDS = Number(process.env.RACES_ROUNDS ?? 1);
const AT_A_TIME = 6;
const TENANTS = ['one', 'two', 'three'];
const DATASETS = ['races'];
const SLOW = ['processing', 'reprocessing'];
const STATES = ['created', ...SLOW, 'ready', 'failed', 'disabled', 'deleted', 'superseded'] as const;
type State = (typeof STATES)[number];

/** On a busy machine all takes long. */
const PATIENT_POOLS = {
  ...readConfig({}).databasePools,
  connectionTimeoutMs: 120_000,
  statementTimeoutMs: 120_000,
  idleTransactionTimeoutMs: 120_000,
};

const embedding = await startEmbeddingServer();
afterAll(() => embedding.close());
const app = useApp({
  databasePools: PATIENT_POOLS,
  embedding: embeddingConfig({ url: embedding.url, model: 'words' }),
});
const random = createRandom(SEED);

/** Several chunks, of which each has the word. */
const textOf = (word: string, paragraphs: number): string =>
  Array.from(
    { length: paragraphs },
    (_, n) => `Paragraph ${n} of ${word}. ${'Goods may come back. '.repeat(40)}`,
  ).join('\n\n');

interface Race {
  raced: Raced;
  before: Documents;
  content: string;
}

async function mustCall(procedure: string, input: object): Promise<any> {
  const { status, data } = await sendCall(app, procedure, input);
  expect({ procedure, status }).toEqual({ procedure, status: 200 });
  return data;
}

const statusOf = async ({ scope, documentId }: Pick<Raced, 'scope' | 'documentId'>) =>
  (await mustCall('documents.get', { scope, documentId })).status;

/** A document in the state. */
async function prepare(state: State, word: string): Promise<Race> {
  const scope = { tenantId: random.oneOf(TENANTS), tenantUnitId: 'unit' };
  const externalId = word;
  let content = textOf(word, SLOW.includes(state) ? 40 : 4);
  const made = await mustCall('documents.upsert', {
    scope,
    externalId,
    datasetIds: DATASETS,
    documentContent: content,
  });
  const ref = { scope, documentId: made.id as string };
  const it: DocumentModel = {
    version: 1,
    title: null,
    enabled: true,
    content,
    isCancelled: false,
    hasExternalId: true,
    chunk: undefined,
  };
  let chunkIds: string[] = [];
  if (!['created', 'processing', 'failed'].includes(state)) {
    await waitFor(async () => (await statusOf(ref)) === 'ready', { what: 'a document to be ready' });
    const { items } = await mustCall('chunks.list', { ...ref, pageSize: 100 });
    chunkIds = items.map(({ id }: { id: string }) => id);
    it.chunk = { isGone: false, areOthersGone: false, text: undefined, status: 'active' };
  }
  if (state === 'failed') {
    // Where it was ready already there is nothing to cancel.
    const { status } = await sendCall(app, 'documents.cancel', ref);
    if (status === 200) Object.assign(it, { version: 2, isCancelled: true });
  }
  if (state === 'disabled') {
    await mustCall('documents.setEnabled', { ...ref, enabled: false });
    Object.assign(it, { version: 2, enabled: false });
  }
  if (state === 'reprocessing') {
    await mustCall('documents.reprocess', ref);
    it.version = 2;
  }
  if (state === 'superseded') {
    content = `superseding ${word}`;
    await mustCall('documents.upsert', { scope, externalId, documentContent: content });
    Object.assign(it, { version: 2, content, chunk: undefined });
  }
  if (state === 'deleted') await mustCall('documents.delete', ref);
  if (SLOW.includes(state)) await delay(random.below(150));
  const before = { it: state === 'deleted' ? undefined : it, other: undefined };
  return {
    before,
    content,
    raced: { ...ref, externalId, datasetIds: DATASETS, version: it.version, chunkIds },
  };
}

interface End {
  documents: Documents['it'][];
  status: string | undefined;
  others: { content: string | null }[];
  chunk: { content: string; status: string } | undefined;
  /** How many chunks of the document are there and found. */
  chunks: number;
}

/** What is there once nothing is being processed. */
async function readEnd({ raced, before }: Race): Promise<End> {
  const { scope, documentId, externalId, chunkIds } = raced;
  const { tenantId } = scope;
  const rows = await app.db
    .selectFrom('documents as d')
    .innerJoin('documentSources as s', (join) =>
      join.onRef('s.tenantId', '=', 'd.tenantId').onRef('s.documentId', '=', 'd.id'),
    )
    .select(['d.id', 'd.version', 'd.title', 'd.enabled', 'd.status', 'd.error', 'd.externalId', 's.content'])
    .where('d.tenantId', '=', tenantId)
    .where((eb) => eb.or([eb('d.id', '=', documentId), eb('d.externalId', '=', externalId)]))
    .execute();
  const chunks = await app.db
    .selectFrom('chunks')
    .select(['id', 'content', 'status', 'deleted'])
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', documentId)
    .execute();
  const chunk = chunks.find(({ id, deleted }) => id === chunkIds[0] && !deleted);
  return {
    documents: rows
      .filter(({ id }) => id === documentId)
      .map(({ version, title, enabled, content, error, externalId: given }) => ({
        version,
        title,
        enabled,
        content: content ?? '',
        isCancelled: error?.code === 'cancelled',
        hasExternalId: given !== null,
        chunk: before.it?.chunk,
      })),
    status: rows.find(({ id }) => id === documentId)?.status,
    others: rows.filter(({ id }) => id !== documentId).map(({ content }) => ({ content })),
    chunk: chunk && { content: chunk.content, status: chunk.status },
    chunks: chunks.length,
  };
}

/** Whether it ended as the actions leave it, in the order that the model is of. */
const isEnd =
  ({ documents: [found], status, others, chunk, chunks }: End) =>
  ({ it, other }: Documents): boolean => {
    if (others.length !== (other ? 1 : 0) || others[0]?.content !== other?.content) return false;
    if (!it) return !found && chunks === 0;
    const { chunk: expected, ...fields } = it;
    if (!found || status !== (it.isCancelled ? 'failed' : 'ready')) return false;
    const isSame = (Object.keys(fields) as (keyof typeof fields)[]).every(
      (key) => found[key] === fields[key],
    );
    if (!isSame || !expected) return isSame;
    if (expected.isGone) return chunk === undefined;
    const hasText =
      expected.text === undefined ? !chunk?.content.startsWith('edited') : chunk?.content === expected.text;
    return hasText && chunk?.status === expected.status;
  };

async function race(state: State, word: string, chosen: number[]) {
  const prepared = await prepare(state, word);
  const { raced } = prepared;
  const actions = chosen.map(
    (place, n) => documentActions(`${word}x${n}`, raced.version)[place] as DocumentAction,
  );
  const answers = await Promise.all(
    actions.map(async (action) => ({ action, called: await action.send(app, raced) })),
  );
  return { state, prepared, answers };
}

const describeRace = (state: State, answers: { action: DocumentAction; called: Called }[]) =>
  `${state}: ${answers.map(({ action, called }) => `${action.name} ${called.status} ${called.message ?? ''}`).join(', ')}`;

test(`every action in every state, with others at once (seed ${SEED})`, async () => {
  const all = documentActions('', 1);
  const count = all.length;
  const written = all.flatMap(({ audited }, place) => (audited[1] > 0 ? [place] : []));
  const queue = Array.from({ length: ROUNDS }, () =>
    STATES.flatMap((state) =>
      written.map((place) => {
        const partners = Array.from({ length: random.below(3) === 0 ? 2 : 1 }, () => random.below(count));
        return { state, chosen: [place, ...partners] };
      }),
    ),
  ).flat();
  const words = queue.map(
    (_, n) => `wombat${n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}q`,
  );
  const races: Awaited<ReturnType<typeof race>>[] = [];
  let next = 0;
  const runSome = async () => {
    for (let n = next++; n < queue.length; n = next++) {
      const { state, chosen } = queue[n]!;
      races.push(await race(state, words[n]!, chosen));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, runSome));
  await app.settle();
  await waitFor(async () => (await countRows('processing_jobs')) === 0, { what: 'no job to be left' });

  const wrong: string[] = [];
  const audited = await readAudited();
  const ended = [];
  for (const { state, prepared, answers } of races) {
    const end = await readEnd(prepared);
    ended.push({ prepared, end });
    const answered = answers.map(({ action, called }) => ({ action, status: called.status }));
    const isPossible = hasPossibleOrder(prepared.before, answered, isEnd(end));
    if (!isPossible) wrong.push(`${describeRace(state, answers)} → ${JSON.stringify(end).slice(0, 600)}`);
    for (const { action, called } of answers) {
      const entries = audited.get(called.requestId) ?? 0;
      const [least, most] = called.status === 200 ? action.audited : [0, 0];
      if (entries < least || entries > most)
        wrong.push(`${describeRace(state, answers)}: ${entries} entries of ${action.name}`);
    }
  }
  expect(wrong).toEqual([]);
  const { rows: broken } = await sql`
    select deadlocks from pg_stat_database where datname = current_database() and deadlocks > 0
  `.execute(app.db);
  expect(broken).toEqual([]);

  await waitFor(async () => (await countRows('embedding_queue')) === 0, { what: 'all texts to be embedded' });
  for (const { prepared, end } of ended.filter(({ end }) => !end.documents[0]?.enabled)) {
    const { scope, documentId, datasetIds, externalId: query } = prepared.raced;
    const hits = await mustCall('chunks.search', { scope, datasetIds, query, topK: 100, mode: 'lexical' });
    expect(hits.filter((hit: { documentId: string }) => hit.documentId === documentId)).toEqual([]);
    expect(end.documents.length === 0 ? end.chunks : 0).toBe(0);
  }
});

async function readAudited(): Promise<Map<string, number>> {
  const { rows } = await sql<{ requestId: string; count: number }>`
    select request_id, count(*) as count from audit_events where request_id is not null group by request_id
  `.execute(app.db);
  return new Map(rows.map(({ requestId, count }) => [requestId, count]));
}

async function countRows(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.ref(table)}`.execute(
    app.db,
  );
  return rows[0]?.count ?? 0;
}

test('nothing is left of what is gone, and counters say what is there', async () => {
  const { rows: orphans } = await sql<{ what: string; count: number }>`
    select what, count(*) as count from (
      select 'chunk' as what from chunks as c
        where not exists (select from documents as d where d.tenant_id = c.tenant_id and d.id = c.document_id)
      union all select 'terms' from chunk_terms as t
        where not exists (select from chunks as c where c.tenant_id = t.tenant_id and c.id = t.chunk_id)
      union all select 'terms of a deleted chunk' from chunk_terms as t join chunks as c
        on c.tenant_id = t.tenant_id and c.id = t.chunk_id and c.deleted
      union all select 'draft' from chunk_drafts
      union all select 'vector' from chunk_texts as t
        where not exists (select from chunks as c where c.tenant_id = t.tenant_id and c.id = t.chunk_id and not c.deleted)
      union all select 'source' from document_sources as s
        where not exists (select from documents as d where d.tenant_id = s.tenant_id and d.id = s.document_id)
      union all select 'dataset' from document_datasets as s
        where not exists (select from documents as d where d.tenant_id = s.tenant_id and d.id = s.document_id)
      union all select 'number of chunks' from documents as d where chunk_count <> (
        select count(*) from chunks as c where c.tenant_id = d.tenant_id and c.document_id = d.id and not c.deleted)
    ) as found group by what`.execute(app.db);
  expect(orphans).toEqual([]);
  expect(await findDrift(app.db, { isFolded: true })).toEqual({});

  for (const tenantId of TENANTS) {
    const { rows } = await sql`
      select (select count(*) from documents where tenant_id = ${tenantId}) as documents,
        (select count(*) from chunks where tenant_id = ${tenantId}) as chunks,
        (select coalesce(sum(size_bytes), 0)::bigint from document_sources where tenant_id = ${tenantId}) as bytes
    `.execute(app.db);
    expect(await readUsage(app.db, tenantId)).toEqual(rows[0]);
    const { totalCount } = await mustCall('documents.list', { scope: { tenantId } });
    expect(totalCount).toBe((rows[0] as { documents: number }).documents);
  }
});

test('a tenant that is deleted meanwhile', async () => {
  const scope = { tenantId: 'leaving', tenantUnitId: 'unit' };
  const actions = documentActions('wombatleaving', 1);
  const made = await Promise.all(
    actions.map(async (action, n) => {
      const externalId = `leaving ${n}`;
      const documentContent = textOf(externalId, n % 2 ? 20 : 1);
      const { id } = await mustCall('documents.upsert', {
        scope,
        externalId,
        datasetIds: DATASETS,
        documentContent,
      });
      return {
        action,
        raced: { ...{ scope, externalId, datasetIds: DATASETS }, documentId: id, version: 1, chunkIds: [] },
      };
    }),
  );
  const storage = createLocalDisk(path.join(app.dataDir, 'files'));
  const options = { db: app.db, storage, tenantId: scope.tenantId, clock: () => new Date() };
  const [, ...answers] = await Promise.all([
    deleteTenant(options),
    ...made.map(({ action, raced }) => action.send(app, raced)),
  ]);
  expect(
    answers.map(({ status }) => status).filter((status) => ![200, 404, 409, 412].includes(status)),
  ).toEqual([]);
  expect((await countTenant(app.db, scope.tenantId)).rows).toBe(0);
});
