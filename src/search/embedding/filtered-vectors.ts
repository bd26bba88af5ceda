import type { Database } from '../../../db/schema.js';
import { type FilteredQuery, findPassing, findThoroughly, readPassing } from '../filter/find-passing.js';
import type { EmbeddingModel } from './models.js';
import { findNearest, readSegments } from './nearest-chunks.js';
import { type ChunkVector, readSegmentVectors, readVectors } from './read-vectors.js';
import type { Segment, VectorCache } from './vector-cache.js';

/** Candidates that pass, at least; and chunks that are compared to find them. */
const MIN_PASSING = 40;
const MIN_COMPARED = 100;
const GROWTH = 5;
const MAX_LOOKED_THROUGH = 2_500;
const MAX_COMPARED = 10_000;
/** How often it starts again because segments were merged under it. */
const MAX_ATTEMPTS = 3;

interface Question {
  query: FilteredQuery;
  model: EmbeddingModel;
  vector: Float32Array;
}

/**
 * Finds the vectors nearest to a question's among the chunks that pass its filter: all of these where they are few, else
 * the best of the documents that pass or, where these are many, of all.
 */
export async function readFilteredVectors(
  { db, cache }: { db: Database; cache: VectorCache },
  { query, model, vector }: Question,
): Promise<{ vectors: ChunkVector[]; isTruncated: boolean }> {
  const scope = { tenantId: query.tenantId, model };
  const wanted = Math.max(query.limit, MIN_PASSING);
  let chosen = await findPassing(db, query);
  for (let attempt = 1; ; ) {
    const few = chosen?.documentIds && (await readPassing(db, query, chosen.documentIds));
    if (few) {
      const chunkIds = few.map(({ chunkId }) => chunkId);
      return { vectors: await readVectors(db, scope, chunkIds), isTruncated: false };
    }
    const segments = await readSegments(db, query);
    const known = chosen;
    if (known && segments.some(({ id }) => !known.segmentIds.has(id)) && attempt++ < MAX_ATTEMPTS) {
      chosen = await findPassing(db, query);
      continue;
    }
    const found = await lookThrough(segments, known ? MAX_COMPARED : MAX_LOOKED_THROUGH);
    if (!found.isTruncated || known) return found;
    chosen = await findThoroughly(db, query);
    if (!chosen) return found;
  }

  async function lookThrough(segments: Segment[], most: number) {
    const vectors: ChunkVector[] = [];
    let read = 0;
    for (let count = Math.max(query.limit, MIN_COMPARED); ; count *= GROWTH) {
      const options = { ...scope, vector, segments, count, ordinals: chosen?.ordinals };
      const nearest = await findNearest(cache, options);
      vectors.push(
        ...(await readSegmentVectors(db, { ...scope, filter: query.filter }, nearest.slice(read))),
      );
      read = nearest.length;
      const isOver = nearest.length < count || vectors.length >= wanted;
      if (isOver || count >= most) return { vectors, isTruncated: !isOver && vectors.length < query.limit };
    }
  }
}
