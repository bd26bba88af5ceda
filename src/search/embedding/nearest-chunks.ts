import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { runYielding, type Steps } from '../../async/steps.js';
import type { ChunkQuery } from '../chunk-index.js';
import { keepOnly, type SegmentOrdinals, TopChunks } from '../postgres/postings/top-chunks.js';
import type { SegmentChunk } from '../ranking/read-chunk-terms.js';
import { countEqualBits, countWords, packSigns } from './binary-vectors.js';
import type { EmbeddingModel } from './models.js';
import type { CachedSegment, Segment, VectorCache } from './vector-cache.js';

/** Words that are compared in one step: some milliseconds. */
const WORDS_OF_STEP = 2_000_000;

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
  const counted = ordinals ? cached.filter(({ id }) => ordinals.has(id)) : cached;
  return runYielding(scanInSteps(counted, question, count, ordinals));
}

function* scanInSteps(
  segments: CachedSegment[],
  question: Uint32Array,
  count: number,
  ordinals: SegmentOrdinals | undefined,
): Steps<SegmentChunk[]> {
  const top = new TopChunks(count);
  const step = Math.ceil(WORDS_OF_STEP / question.length);
  let compared = 0;
  for (const { id, chunks, words, found } of segments) {
    for (let first = 0; first < chunks; first += step) {
      const equal = new Float32Array(Math.min(step, chunks - first));
      countEqualBits(question, words, first, equal);
      // Those whose vectors are missing count nothing.
      for (let i = 0; i < equal.length; i++) (equal[i] as number) *= found[first + i] as number;
      const counted = ordinals?.get(id);
      if (counted) keepOnly(equal, equal.length, counted, { first });
      top.collect(id, equal, equal.length, first);
      compared += equal.length;
      if (compared < step) continue;
      compared = 0;
      yield;
    }
  }
  return top.finish();
}
