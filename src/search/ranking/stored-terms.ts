import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import type { ChunkChanges, DraftedChunks } from '../chunk-index.js';
import { noteChanges } from '../keeping/outbox.js';
import { ANALYZER_VERSION } from './analyze.js';
import { termsOf } from './chunk-terms.js';

const BATCH = 500;

/**
 * Keeps the search terms of chunks in step with their text, in the transaction that changes it. Both engines rank by
 * these; an index elsewhere learns of the change through the outbox.
 */
export async function applyChanges(tx: Queryable, changes: ChunkChanges): Promise<void> {
  const { drafted, changed = [], removed = [] } = changes;
  if (drafted) await takeDraftedTerms(tx, drafted);
  for (let i = 0; i < changed.length; i += BATCH) await analyzeRows(tx, changed.slice(i, i + BATCH));
  if (removed.length > 0) await dropTerms(tx, removed);
  await noteChanges(tx, changes);
}

/** Remakes the terms that an older analyzer made, batch by batch. Searches go on meanwhile. */
export async function reanalyze(db: Database): Promise<void> {
  for (;;) {
    const stale = await db
      .selectFrom('chunkTerms')
      .select('chunkId')
      .where('analyzer', '!=', ANALYZER_VERSION)
      .limit(BATCH)
      .execute();
    if (stale.length === 0) return;
    const changed = stale.map((row) => row.chunkId);
    await db.transaction().execute((tx) => applyChanges(tx, { changed }));
  }
}

async function dropTerms(tx: Queryable, chunkIds: string[]): Promise<void> {
  await sql`delete from chunk_terms where chunk_id = any(${chunkIds})`.execute(tx);
}

/** The terms of new chunks were made where their text was read. */
async function takeDraftedTerms(
  tx: Queryable,
  { tenantId, documentId, run, ids }: DraftedChunks,
): Promise<void> {
  await sql`
    insert into chunk_terms (chunk_id, tenant_id, tenant_unit_id, document_id, terms, length, analyzer)
    select id, tenant_id, tenant_unit_id, document_id, terms, terms_length, analyzer
    from chunk_drafts
    where tenant_id = ${tenantId} and document_id = ${documentId} and run = ${run} and id = any(${ids})
  `.execute(tx);
}

async function analyzeRows(tx: Queryable, chunkIds: string[]): Promise<void> {
  const chunks = await tx
    .selectFrom('chunks')
    .select(['id', 'tenantId', 'tenantUnitId', 'documentId', 'content', 'contentComplement', 'keywords'])
    .where('id', 'in', chunkIds)
    .orderBy('id')
    // Whoever changes a chunk meanwhile has the last word.
    .forShare()
    .execute();
  const present = new Set(chunks.map(({ id }) => id));
  const gone = chunkIds.filter((id) => !present.has(id));
  if (gone.length > 0) await dropTerms(tx, gone);
  if (chunks.length === 0) return;
  const rows = chunks.map((chunk) => ({
    chunkId: chunk.id,
    tenantId: chunk.tenantId,
    tenantUnitId: chunk.tenantUnitId,
    documentId: chunk.documentId,
    ...termsOf(chunk.tenantId, chunk),
  }));
  await tx
    .insertInto('chunkTerms')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('chunkId').doUpdateSet((eb) => ({
        terms: eb.ref('excluded.terms'),
        length: eb.ref('excluded.length'),
        analyzer: eb.ref('excluded.analyzer'),
      })),
    )
    .execute();
}
