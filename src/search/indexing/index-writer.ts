import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { runYielding } from '../../async/steps.js';
import { inSpan } from '../../tracing/spans.js';
import { recordPostingChange, recordPostingChanges } from '../postgres/postings/posting-changes.js';
import { ANALYZER_VERSION } from '../ranking/analyze.js';
import { analyzeChunkInSteps } from './chunk-terms.js';
import { groupByTenant } from './group-by-tenant.js';
import { enqueueChunks, enqueueChunksOfDocument, enqueueGoneChunks } from './outbox.js';

/** Chunks at a time: the terms of a large one are a hundred kilobytes. */
const BATCH = 50;

/** Changes of a document's chunks. */
export interface ChunkChanges {
  tenantId: string;
  documentId: string;
  /** Chunks that are new or have other headings; their terms are in the drafts of a processing attempt. */
  drafted?: { attemptId: string; chunkIds: string[] };
  /** Chunks whose terms are to be computed anew. */
  edited?: string[];
  /** Chunks that were activated or deactivated. */
  switched?: string[];
  /** Chunks of which only the metadata changed. A search server has none that is filtered by. */
  described?: string[];
  removed?: string[];
}

/**
 * Writes the search terms of changed chunks in the transaction that changes them. Searches in PostgreSQL see them at
 * once; Meilisearch receives the change through the outbox.
 */
export const writeChunkChanges = (tx: Queryable, changes: ChunkChanges): Promise<void> =>
  inSpan('index chunks', {}, () => writeChanges(tx, changes));

async function writeChanges(tx: Queryable, changes: ChunkChanges): Promise<void> {
  const { tenantId, documentId, drafted, edited = [], switched = [], described = [], removed = [] } = changes;
  if (drafted) await copyDraftTerms(tx, changes, drafted);
  for (let i = 0; i < edited.length; i += BATCH) await updateTerms(tx, tenantId, edited.slice(i, i + BATCH));
  if (removed.length > 0) {
    for (const table of ['chunk_terms', 'chunk_texts']) {
      await sql`delete from ${sql.table(table)} where tenant_id = ${tenantId} and chunk_id = any(${removed})`.execute(
        tx,
      );
    }
  }
  const chunkIds = [...(drafted?.chunkIds ?? []), ...edited, ...switched, ...removed];
  await recordPostingChange(tx, { tenantId, documentId, chunkIds: [...chunkIds, ...described] });
  await enqueueChunks(tx, tenantId, chunkIds, [...(drafted?.chunkIds ?? []), ...edited]);
}

/** Chunks that are new in documents without other ones. */
export interface NewChunksOfTenant {
  tenantId: string;
  chunks: { id: string; documentId: string }[];
  /** A JSON array of objects with `document_id` and `batches`, arrays of drafts from the sandbox. */
  drafts: string;
}

/** Likewise of new chunks. */
export const writeNewChunks = (tx: Queryable, given: NewChunksOfTenant): Promise<void> =>
  inSpan('index chunks', {}, () => writeNew(tx, given));

async function writeNew(tx: Queryable, { tenantId, chunks, drafts }: NewChunksOfTenant): Promise<void> {
  const documents = new Map<string, string[]>();
  for (const { id, documentId } of chunks)
    documents.set(documentId, [...(documents.get(documentId) ?? []), id]);
  await sql`
    insert into chunk_terms (chunk_id, tenant_id, analyzer, length, terms, words)
    select draft.id, d.tenant_id, draft.analyzer, draft.terms_length, draft.terms, draft.words
    from documents as d
    join json_to_recordset(${drafts}::json) as given (document_id text, batches json) on given.document_id = d.id
    cross join lateral json_array_elements(given.batches) as batch
    cross join lateral json_to_recordset(batch) as draft (
      id text, terms text, words text, terms_length int, analyzer int)
    where d.tenant_id = ${tenantId} and d.id = any(${[...documents.keys()]})
  `.execute(tx);
  await recordPostingChanges(
    tx,
    [...documents].map(([documentId, chunkIds]) => ({ tenantId, documentId, chunkIds })),
  );
  const chunkIds = chunks.map(({ id }) => id);
  await enqueueChunks(tx, tenantId, chunkIds, chunkIds);
}

/** Writes that a document was enabled, disabled or moved to other datasets; its chunks are unchanged. */
export async function writeDocumentChange(
  tx: Queryable,
  document: { tenantId: string; documentId: string },
): Promise<void> {
  await recordPostingChange(tx, document);
  await enqueueChunksOfDocument(tx, document);
}

/** Writes that a document has another name, title or other properties, which a search server has with its chunks. */
export const writeDocumentDescription = (
  tx: Queryable,
  document: { tenantId: string; documentId: string },
): Promise<void> => enqueueChunksOfDocument(tx, document);

/** Writes that chunks of a deleted tenant are gone: a search server is told their ids alone. */
export const writeChunksGone = (tx: Queryable, chunkIds: string[]): Promise<void> =>
  enqueueGoneChunks(tx, chunkIds);

/** Computes terms of older analyzer versions anew, in batches, while searches continue. */
export async function reanalyzeStaleChunks(database: Database): Promise<void> {
  const db = unscoped(database, 'Terms of older analyzer versions are recomputed for all tenants.');
  for (;;) {
    const { rows } = await sql<{ tenantId: string; chunkId: string }>`
      select tenant_id, chunk_id from chunk_terms where analyzer < ${ANALYZER_VERSION} limit ${BATCH}
    `.execute(db);
    const stale: ChunkChanges[] = [];
    for (const [tenantId, chunks] of groupByTenant(rows)) {
      const chunkIds = chunks.map(({ chunkId }) => chunkId);
      stale.push(...(await findEdited(db, tenantId, chunkIds)));
    }
    if (stale.length === 0) return;
    for (const changes of stale) await db.transaction().execute((tx) => writeChunkChanges(tx, changes));
  }
}

/** Chunks as changes of their documents. */
async function findEdited(db: Database, tenantId: string, chunkIds: string[]): Promise<ChunkChanges[]> {
  const { rows } = await sql<{ documentId: string; edited: string[] }>`
    select document_id, array_agg(id::text) as edited from chunks
    where tenant_id = ${tenantId} and id = any(${chunkIds}::text[]) group by document_id
  `.execute(db);
  return rows.map((document) => ({ tenantId, ...document }));
}

/** The terms of drafts were computed in the sandbox. */
async function copyDraftTerms(
  tx: Queryable,
  { tenantId, documentId }: Pick<ChunkChanges, 'tenantId' | 'documentId'>,
  { attemptId, chunkIds }: { attemptId: string; chunkIds: string[] },
): Promise<void> {
  await sql`
    insert into chunk_terms (chunk_id, tenant_id, analyzer, length, terms, words)
    select id, tenant_id, analyzer, terms_length, terms, words
    from chunk_drafts
    where tenant_id = ${tenantId} and document_id = ${documentId} and run = ${attemptId} and id = any(${chunkIds})
    on conflict (tenant_id, chunk_id) do update
    set analyzer = excluded.analyzer, length = excluded.length, terms = excluded.terms, words = excluded.words
  `.execute(tx);
}

async function updateTerms(tx: Queryable, tenantId: string, chunkIds: string[]): Promise<void> {
  const chunks = await tx
    .selectFrom('chunks')
    .select(['id', 'content', 'contentComplement', 'keywords'])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', chunkIds)
    .orderBy('id')
    // A concurrent update of the chunk waits, and writes its terms later.
    .forShare()
    .execute();
  const rows = [];
  for (const { id: chunkId, ...text } of chunks) {
    rows.push({ chunkId, tenantId, ...(await runYielding(analyzeChunkInSteps(text))) });
  }
  if (rows.length === 0) return;
  await tx
    .insertInto('chunkTerms')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['tenantId', 'chunkId']).doUpdateSet((eb) => ({
        analyzer: eb.ref('excluded.analyzer'),
        length: eb.ref('excluded.length'),
        terms: eb.ref('excluded.terms'),
        words: eb.ref('excluded.words'),
      })),
    )
    .execute();
}
