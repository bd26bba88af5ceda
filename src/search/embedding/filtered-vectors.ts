import type { Database } from '../../../db/schema.js';
import {
  type FilteredQuery,
  findPassing,
  isHopeless,
  placesOf,
  readPassing,
} from '../filter/find-passing.js';
import type { Passing } from '../filter/passing.js';
import { inSnapshot, walkSegments } from '../filter/walk-segments.js';
import type { SegmentChunk } from '../ranking/read-chunk-terms.js';
import type { EmbeddingModel } from './models.js';
import { findNearest, readSegments } from './nearest-chunks.js';
import { type ChunkVector, readSegmentVectors, readVectors } from './read-vectors.js';
import type { VectorCache } from './vector-cache.js';

/** Candidates that pass, at least; and chunks that are compared to find them. */
const MIN_PASSING = 40;
const MIN_COMPARED = 100;
const GROWTH = 5;
const MAX_COMPARED = 10_000;
/** Of few, all are compared. */
const FEW_COMPARED = 1_000;
/** How often it starts again because segments were merged under it. */
const MAX_ATTEMPTS = 3;

interface Question {
  query: FilteredQuery;
  model: EmbeddingModel;
  vector: Float32Array;
}

interface Found {
  vectors: ChunkVector[];
  isTruncated: boolean;
}

/**
 * Finds the vectors nearest to a question's among the chunks that pass its filter: all of these where they are few, else
 * the best of the documents that pass or, where these are many, of all.
 */
export async function readFilteredVectors(
  { db, cache }: { db: Database; cache: VectorCache },
  question: Question,
): Promise<Found> {
  const { query, model } = question;
  const chosen = await findPassing(db, query);
  const few = chosen?.documentIds && (await readPassing(db, query, chosen.documentIds));
  if (few) {
    const chunkIds = few.map(({ chunkId }) => chunkId);
    return {
      vectors: await readVectors(db, { tenantId: query.tenantId, model }, chunkIds),
      isTruncated: false,
    };
  }
  const found = await lookThrough({ db, cache }, question, chosen);
  if (found && !found.isTruncated) return found;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // Vectors are read beside it: whoever has a connection must not wait for another one.
    const passing = await inSnapshot(db, async (snapshot) => {
      const known = await findPassing(snapshot, query, { isThorough: true });
      return known?.isExact ? known : walkSegments(snapshot, query, { known });
    });
    if (!passing) break;
    const all = await lookThrough({ db, cache }, question, passing);
    if (all) return all;
  }
  return found ?? { vectors: [], isTruncated: true };
}

/** @returns undefined where segments were merged meanwhile */
async function lookThrough(
  { db, cache }: { db: Database; cache: VectorCache },
  { query, model, vector }: Question,
  chosen: Passing | undefined,
): Promise<Found | undefined> {
  const scope = { tenantId: query.tenantId, model };
  const segments = await readSegments(db, query);
  if (chosen && segments.some(({ id }) => !chosen.segmentIds.has(id))) return undefined;
  const wanted = Math.max(query.limit, MIN_PASSING);
  // Whoever reads the hits looks at the filter again.
  const read = (chunks: SegmentChunk[]) =>
    readSegmentVectors(db, chosen?.isExact ? scope : { ...scope, filter: query.filter }, chunks);
  const few = chosen && placesOf(chosen.ordinals, FEW_COMPARED);
  if (few) return { vectors: await read(few), isTruncated: false };
  const vectors: ChunkVector[] = [];
  let compared = 0;
  for (let count = Math.max(query.limit, MIN_COMPARED); ; count *= GROWTH) {
    const nearest = await findNearest(cache, {
      ...scope,
      vector,
      segments,
      count,
      ordinals: chosen?.ordinals,
    });
    vectors.push(...(await read(nearest.slice(compared))));
    compared = nearest.length;
    const isOver = nearest.length < count || vectors.length >= wanted;
    const isInVain = chosen
      ? count >= MAX_COMPARED
      : isHopeless(query, { depth: count, passed: vectors.length });
    if (isOver || isInVain) return { vectors, isTruncated: !isOver && vectors.length < query.limit };
  }
}
