import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Queryable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { whereDefined } from '../../db/where-defined.js';
import { analyzeChunk } from './chunk-terms.js';
import { type DocumentKey, enqueueChunks, enqueueChunksOfDocuments } from './outbox.js';
import { ANALYZER_VERSION } from './ranking/analyze.js';

/** Chunks at a time: the terms of a large one are half a megabyte. */
const BATCH = 50;

/** Chunks created by one processing attempt; their search terms are in `chunk_drafts`. */
export interface CreatedChunks {
  tenantId: string;
  documentId: string;
  attemptId: string;
  chunkIds: string[];
}

export interface IndexChanges {
  /** The tenant of all of these; undefined where they may belong to several tenants. */
  tenantId?: string | undefined;
  created?: CreatedChunks;
  /** Chunks that are new or whose text, keywords or position changed. */
  changed?: string[];
  /** Deleted chunks. */
  removed?: string[];
  /**
   * Documents that were enabled, disabled or moved to other datasets; the text of their chunks is unchanged.
   */
  changedDocuments?: DocumentKey[];
}

/**
 * Writes the search terms of changed chunks in the transaction that changes them. Both engines rank by these;
 * Meilisearch receives the change through the outbox.
 */
export async function writeIndexChanges(tx: Queryable, changes: IndexChanges): Promise<void> {
  const { tenantId, created, changed = [], removed = [], changedDocuments = [] } = changes;
  const of: TermsScope = {
    tx:
      tenantId === undefined
        ? unscoped(tx, 'Terms are recomputed for chunks of several tenants at once.')
        : tx,
    tenantId,
  };
  if (created) await insertDraftTerms(tx, created);
  for (let i = 0; i < changed.length; i += BATCH) await upsertTerms(of, changed.slice(i, i + BATCH));
  if (removed.length > 0) await deleteTerms(of, removed);
  await enqueueChunks(tx, [...(created?.chunkIds ?? []), ...changed, ...removed]);
  await enqueueChunksOfDocuments(tx, changedDocuments);
}

interface TermsScope {
  tx: Queryable;
  /** Undefined where the chunks may be several tenants'. */
  tenantId: string | undefined;
}

/** Recomputes terms of older analyzer versions in batches, while searches continue. */
export async function reanalyzeStaleChunks(database: Database): Promise<void> {
  const db = unscoped(database, 'Terms of older analyzer versions are recomputed for all tenants.');
  for (;;) {
    const stale = await db
      .selectFrom('chunkTerms')
      .select('chunkId')
      .where('analyzer', '!=', ANALYZER_VERSION)
      .limit(BATCH)
      .execute();
    if (stale.length === 0) return;
    const changed = stale.map((row) => row.chunkId);
    await db.transaction().execute((tx) => writeIndexChanges(tx, { changed }));
  }
}

async function deleteTerms({ tx, tenantId }: TermsScope, chunkIds: string[]): Promise<void> {
  const ofTenant = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`;
  await sql`delete from chunk_terms where chunk_id = any(${chunkIds}) and ${ofTenant}`.execute(tx);
}

/** The terms of new chunks were computed in the sandbox. */
async function insertDraftTerms(
  tx: Queryable,
  { tenantId, documentId, attemptId, chunkIds }: CreatedChunks,
): Promise<void> {
  await sql`
    insert into chunk_terms (chunk_id, tenant_id, tenant_unit_id, document_id, terms, length, analyzer)
    select id, tenant_id, tenant_unit_id, document_id, terms, terms_length, analyzer
    from chunk_drafts
    where tenant_id = ${tenantId} and document_id = ${documentId} and run = ${attemptId} and id = any(${chunkIds})
  `.execute(tx);
}

async function upsertTerms(of: TermsScope, chunkIds: string[]): Promise<void> {
  const { tx, tenantId } = of;
  const chunks = await tx
    .selectFrom('chunks')
    .select(['id', 'tenantId', 'tenantUnitId', 'documentId', 'content', 'contentComplement', 'keywords'])
    .where('id', 'in', chunkIds)
    .$call(whereDefined(tenantId, (q, id) => q.where('tenantId', '=', id)))
    .orderBy('id')
    // A concurrent update of the chunk waits, and writes its terms later.
    .forShare()
    .execute();
  const present = new Set(chunks.map(({ id }) => id));
  const gone = chunkIds.filter((id) => !present.has(id));
  if (gone.length > 0) await deleteTerms(of, gone);
  if (chunks.length === 0) return;
  const rows = [];
  for (const { id: chunkId, tenantId, tenantUnitId, documentId, ...text } of chunks) {
    rows.push({ chunkId, tenantId, tenantUnitId, documentId, ...(await analyzeChunk(tenantId, text)) });
    // Yields to other requests.
    await setImmediate();
  }
  await tx
    .insertInto('chunkTerms')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('chunkId')
        .doUpdateSet((eb) => ({
          terms: eb.ref('excluded.terms'),
          length: eb.ref('excluded.length'),
          analyzer: eb.ref('excluded.analyzer'),
        }))
        .whereRef('chunkTerms.tenantId', '=', 'excluded.tenantId'),
    )
    .execute();
}
