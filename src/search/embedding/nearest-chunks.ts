import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { runYielding } from '../../async/steps.js';
import type { ChunkQuery } from '../chunk-index.js';
import type { SegmentOrdinals } from '../postgres/postings/top-chunks.js';
import type { SegmentChunk } from '../ranking/read-chunk-terms.js';
import { countWords, packSigns } from './binary-vectors.js';
import type { EmbeddingModel } from './models.js';
import { scanSigns } from './scan-signs.js';
import type { Segment, VectorCache } from './vector-cache.js';

/** The segments of postings that hold the chunks of the query's datasets. */
export async function readSegments(
  db: Database,
  { tenantId, tenantUnitId, datasetIds }: ChunkQuery,
): Promise<Segment[]> {
  const { rows } = await sql<Segment>`
    select id, chunks from posting_segments
    where tenant_id = ${tenantId} and tenant_unit_id = any(${[tenantUnitId].flat()}) and dataset_id = any(${datasetIds})
  `.execute(db);
  return rows;
}

interface NearestOptions {
  model: EmbeddingModel;
  vector: Float32Array;
  tenantId: string;
  segments: Segment[];
  count: number;
  /** Of the chunks that count, by segment; all if undefined. */
  ordinals?: SegmentOrdinals | undefined;
}

/**
 * The chunks of segments whose vectors have most signs in common with a question's, best first: an approximation of
 * those with the highest cosines, among which the exact cosines decide.
 */
export async function findNearest(
  cache: VectorCache,
  { model, vector, tenantId, segments, count, ordinals }: NearestOptions,
): Promise<SegmentChunk[]> {
  const cached = await cache.read(model, tenantId, segments);
  const question = new Uint32Array(countWords(model.dimensions));
  packSigns(vector, question, { center: model.center });
  return runYielding(scanSigns(cached, question, count, ordinals));
}
