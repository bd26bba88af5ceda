import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkIndex, ChunkQuery, SearchCandidates, SearchMode } from '../chunk-index.js';
import { fuseScores } from './fuse.js';
import type { LiveModel } from './live-model.js';
import type { EmbeddingModel } from './models.js';
import type { QuestionEmbedder } from './question-embedder.js';
import { isInScripts } from './scripts.js';
import { cosine } from './vectors.js';

/** The best candidates by words, at least, whose meaning is compared. */
const MIN_RESCORED = 200;

export interface HybridOptions {
  db: Database;
  liveModel: LiveModel;
  embedder: QuestionEmbedder;
  /** Of queries that do not say. */
  defaultMode: SearchMode;
}

/**
 * Search by words and by meaning: the candidates that an index finds by words are scored again with the cosines of their
 * vectors. Where the question has no vector in time, or the model does not know its script, the words decide alone.
 */
export function withMeaning(
  index: ChunkIndex,
  { db, liveModel, embedder, defaultMode }: HybridOptions,
): ChunkIndex {
  return { engine: index.engine, search, status: index.status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    if ((query.mode ?? defaultMode) === 'lexical') return index.search(query);
    const limit = Math.max(query.limit, MIN_RESCORED);
    const [found, meaning] = await Promise.all([index.search({ ...query, limit }), readMeaning(query)]);
    const byWords = { ...found, candidates: found.candidates.slice(0, query.limit) };
    // The words' own limit: whether there are more candidates is seen by their number.
    if (!meaning || found.candidates.length === 0) return byWords;
    const chunkIds = found.candidates.map(({ chunkId }) => chunkId);
    const cosines = await readCosines(query.tenantId, chunkIds, meaning);
    if (cosines.size === 0) return byWords;
    const candidates = fuseScores(found.candidates, cosines).slice(0, query.limit);
    return { ...found, mode: 'hybrid', candidates };
  }

  async function readMeaning({ text }: ChunkQuery): Promise<Meaning | undefined> {
    const model = await liveModel.read();
    if (!model || !isInScripts(text, model.scripts)) return undefined;
    const vector = await embedder.embed(model, text);
    return vector && { model, vector };
  }

  async function readCosines(
    tenantId: string,
    chunkIds: string[],
    { model, vector }: Meaning,
  ): Promise<Map<string, number>> {
    const { rows } = await sql<{ chunkId: string; scale: number; vector: Buffer }>`
      select asked.id as chunk_id, e.scale, e.vector
      from unnest(${chunkIds}::text[]) as asked (id)
      cross join lateral (
        select hash from chunk_texts where tenant_id = ${tenantId} and chunk_id = asked.id limit 1) as t
      cross join lateral (
        select scale, vector from embeddings
        where tenant_id = ${tenantId} and model_id = ${model.id} and hash = t.hash limit 1) as e
    `.execute(db);
    return new Map(
      rows.map(({ chunkId, scale, vector: bytes }) => [chunkId, cosine(vector, { scale, bytes })]),
    );
  }
}

interface Meaning {
  model: EmbeddingModel;
  vector: Float32Array;
}
