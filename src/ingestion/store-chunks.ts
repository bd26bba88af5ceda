import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { ChunkMetadata, Queryable } from '../../db/schema.js';
import type { ChunkIndex } from '../search/chunk-index.js';

const BATCH = 500;

/** A chunk as it was split off, before it has an id. */
export interface NewChunk {
  content: string;
  contentComplement: string;
  keywords: Record<string, number>;
  metadata: ChunkMetadata;
}

interface DocumentPlace {
  tenantId: string;
  tenantUnitId: string;
  id: string;
}

/**
 * Puts `chunks` in the place of a document's chunks, in one transaction with the index. A chunk whose text is
 * unchanged keeps its id, edits, status and deletion; only its place, headings and metadata follow.
 *
 * @returns how many chunks there are to see now
 */
export async function storeChunks(
  tx: Queryable,
  document: DocumentPlace,
  chunks: NewChunk[],
  { index, now }: { index: Pick<ChunkIndex, 'apply'>; now: Date },
): Promise<number> {
  const existing = await tx
    .selectFrom('chunks')
    .select(['id', 'sourceHash', 'contentComplement', 'deleted'])
    .where('tenantId', '=', document.tenantId)
    .where('documentId', '=', document.id)
    .orderBy('ordinal')
    .forUpdate()
    .execute();
  const unmatched = groupBy(existing, (row) => row.sourceHash);

  const created: string[] = [];
  const moved: { id: string; ordinal: number; chunk: NewChunk }[] = [];
  const changed: string[] = [];
  const rows = chunks.flatMap((chunk, ordinal) => {
    const sourceHash = createHash('sha256').update(chunk.content).digest('base64url');
    const same = unmatched.get(sourceHash)?.shift();
    if (same) {
      moved.push({ id: same.id, ordinal, chunk });
      if (!same.deleted && same.contentComplement !== chunk.contentComplement) changed.push(same.id);
      return [];
    }
    const id = uuid();
    created.push(id);
    return {
      tenantId: document.tenantId,
      tenantUnitId: document.tenantUnitId,
      id,
      documentId: document.id,
      ordinal,
      sourceHash,
      content: chunk.content,
      contentComplement: chunk.contentComplement,
      keywords: JSON.stringify(chunk.keywords),
      metadata: JSON.stringify(chunk.metadata),
      createdTime: now,
      updatedTime: now,
    };
  });
  const gone = [...unmatched.values()].flat();

  for (const ids of batches(gone.map(({ id }) => id))) {
    await tx.deleteFrom('chunks').where('id', 'in', ids).where('tenantId', '=', document.tenantId).execute();
  }
  for (const batch of batches(moved)) await move(tx, document.tenantId, batch);
  for (const batch of batches(rows)) await tx.insertInto('chunks').values(batch).execute();
  await index.apply(tx, { changed: [...created, ...changed], removed: gone.map(({ id }) => id) });

  const hidden = existing.filter((row) => row.deleted).length - gone.filter((row) => row.deleted).length;
  return chunks.length - hidden;
}

/** What belongs to the chunk's place in the document; what a person may have edited stays. */
async function move(
  tx: Queryable,
  tenantId: string,
  moved: { id: string; ordinal: number; chunk: NewChunk }[],
): Promise<void> {
  const places = JSON.stringify(
    moved.map(({ id, ordinal, chunk: { contentComplement: complement, metadata } }) => ({
      id,
      ordinal,
      complement,
      metadata,
    })),
  );
  await sql`
    update chunks
    set ordinal = place.ordinal, content_complement = place.complement, metadata = place.metadata
    from json_to_recordset(${places}::json) as place (id text, ordinal int, complement text, metadata jsonb)
    where chunks.id = place.id and chunks.tenant_id = ${tenantId}
      and (chunks.ordinal, chunks.content_complement, chunks.metadata)
        is distinct from (place.ordinal, place.complement, place.metadata)
  `.execute(tx);
}

function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function* batches<T>(items: T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i += BATCH) yield items.slice(i, i + BATCH);
}
