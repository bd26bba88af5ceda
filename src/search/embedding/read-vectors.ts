import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';
import { passing } from '../filter/condition.js';
import { chunkIdAt, type SegmentChunk } from '../ranking/read-chunk-terms.js';
import type { EmbeddingModel } from './models.js';

/** A chunk's vector, as {@link quantize} made it. */
export interface ChunkVector {
  chunkId: string;
  scale: number;
  bytes: Buffer;
}

export interface VectorScope {
  tenantId: string;
  model: EmbeddingModel;
}

/** Reads the vectors of those of the chunks that have one. */
export async function readVectors(
  db: Database,
  { tenantId, model }: VectorScope,
  chunkIds: string[],
): Promise<ChunkVector[]> {
  if (chunkIds.length === 0) return [];
  // Looked up one by one through an index, whatever the planner's statistics are: `limit` sees to that.
  const { rows } = await sql<ChunkVector>`
    select named.id as chunk_id, e.scale, e.vector as bytes
    from unnest(${chunkIds}::text[]) as named (id)
    ${vectorOfNamed(tenantId, model)}
  `.execute(db);
  return rows;
}

/** Likewise of chunks of segments that pass the filter; none of a segment that is gone. */
export async function readSegmentVectors(
  db: Database,
  { tenantId, model, filter }: VectorScope & Pick<ChunkQuery, 'filter'>,
  chunks: SegmentChunk[],
): Promise<ChunkVector[]> {
  if (chunks.length === 0) return [];
  const { rows } = await sql<ChunkVector>`
    select named.id as chunk_id, e.scale, e.vector as bytes
    from (
      select (${chunkIdAt(tenantId)}) as id
      from unnest(${chunks.map(({ segmentId }) => segmentId)}::bigint[], ${chunks.map(({ ordinal }) => ordinal)}::integer[])
        as asked (segment_id, ordinal)
      offset 0) as named
    ${passing({ tenantId, filter }, sql`named.id`)}
    ${vectorOfNamed(tenantId, model)}
  `.execute(db);
  return rows;
}

/**
 * Reads the vectors of chunks that are near each other in a segment.
 *
 * @param ordinals ascending
 */
export async function readVectorBatch(
  db: Database,
  { tenantId, model }: VectorScope,
  { segmentId, ordinals }: { segmentId: number; ordinals: number[] },
): Promise<{ ordinal: number; scale: number; vector: Buffer }[]> {
  const first = ordinals[0] as number;
  const count = (ordinals.at(-1) as number) - first + 1;
  const { rows } = await sql<{ ordinal: number; scale: number; vector: Buffer }>`
    with span as materialized (
      select substring(chunk_ids from 16 * ${first}::integer + 1 for 16 * ${count}::integer) as ids
      from posting_segments where tenant_id = ${tenantId} and id = ${segmentId}
    ), named as materialized (
      select asked.ordinal,
        encode(substring(ids from 16 * (asked.ordinal - ${first}::integer) + 1 for 16), 'hex')::uuid::text as id
      from span, unnest(${ordinals}::integer[]) as asked (ordinal)
    )
    select named.ordinal, e.scale, e.vector
    from named
    ${vectorOfNamed(tenantId, model)}
  `.execute(db);
  return rows;
}

const vectorOfNamed = (tenantId: string, { id }: EmbeddingModel) => sql`
  cross join lateral (
    select hash from chunk_texts where tenant_id = ${tenantId} and chunk_id = named.id limit 1) as t
  cross join lateral (
    select scale, vector from embeddings
    where tenant_id = ${tenantId} and model_id = ${id} and hash = t.hash limit 1) as e`;
