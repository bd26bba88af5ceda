import type { Database } from '../../../db/schema.js';
import type { ChunkIndex, ChunkQuery, SearchCandidates, SearchMode } from '../chunk-index.js';
import { isFiltered } from '../filter/find-passing.js';
import { fuseScores, scoreByMeaning } from '../ranking/fuse.js';
import { readFilteredVectors } from './filtered-vectors.js';
import type { LiveModel } from './live-model.js';
import type { EmbeddingModel } from './models.js';
import { findNearest, readSegments } from './nearest-chunks.js';
import type { QuestionEmbedder } from './question-embedder.js';
import { type ChunkVector, readSegmentVectors, readVectors } from './read-vectors.js';
import { isInScripts, mainScript } from './scripts.js';
import type { VectorCache } from './vector-cache.js';
import { compareWith } from './vectors.js';

/** The best candidates by words, at least, whose meaning is compared. */
const MIN_BY_WORDS = 100;
/** Candidates by meaning, at least. */
const MIN_BY_MEANING = 100;

export interface HybridOptions {
  db: Database;
  liveModel: LiveModel;
  embedder: QuestionEmbedder;
  cache: VectorCache;
  /** Of queries that do not say. */
  defaultMode: SearchMode;
}

/**
 * Search by words and by meaning: an index finds candidates by words, vectors in memory find candidates by meaning, and
 * both are scored by words and by their cosines. Where the question has no vector in time, or the model does not know
 * its script, the words decide alone.
 */
export function withMeaning(
  index: ChunkIndex,
  { db, liveModel, embedder, cache, defaultMode }: HybridOptions,
): ChunkIndex {
  return { engine: index.engine, search, status: index.status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    const mode = query.mode ?? defaultMode;
    if (mode === 'lexical') return index.search(query);
    const model = await liveModel.read();
    if (!model) return byWords(await index.search(query), 'No text was ever embedded.');
    const scale = model.cosines?.[mainScript(query.text, model.scripts) ?? ''];
    if (!isInScripts(query.text, model.scripts))
      return byWords(await index.search(query), `${model.name} does not know the script of the question.`);
    if (!scale) return byWords(await index.search(query), `${model.name} is being measured.`);
    const [{ found, vectors }, meaning] = await Promise.all([
      searchByWords(query, model),
      searchByMeaning(query, model),
    ]);
    const cosines = new Map<string, number>();
    if (meaning) {
      const compare = compareWith(meaning.question, model.center);
      for (const { chunkId, ...stored } of [...vectors, ...meaning.vectors])
        cosines.set(chunkId, compare(stored));
    }
    // The words' own limit: whether there are more candidates is seen by their number.
    if (cosines.size === 0) {
      const reason = meaning ? 'No text that is searched has a vector.' : embedder.lastFailure(model);
      return byWords({ ...found, candidates: found.candidates.slice(0, query.limit) }, reason);
    }
    const candidates =
      mode === 'semantic' ? scoreByMeaning(cosines, scale) : fuseScores(found.candidates, cosines, scale);
    const isTruncated = found.isTruncated || meaning?.isTruncated === true;
    return { ...found, mode, candidates: candidates.slice(0, query.limit), isTruncated };
  }

  async function searchByWords(query: ChunkQuery, model: EmbeddingModel) {
    const found = await index.search({ ...query, limit: Math.max(query.limit, MIN_BY_WORDS) });
    const chunkIds = found.candidates.map(({ chunkId }) => chunkId);
    return { found, vectors: await readVectors(db, { tenantId: query.tenantId, model }, chunkIds) };
  }

  async function searchByMeaning(
    query: ChunkQuery,
    model: EmbeddingModel,
  ): Promise<{ question: Float32Array; vectors: ChunkVector[]; isTruncated?: boolean } | undefined> {
    const { tenantId } = query;
    const [question, segments] = await Promise.all([
      embedder.embed(model, tenantId, query.text),
      isFiltered(query) ? [] : readSegments(db, query),
    ]);
    if (!question) return undefined;
    if (isFiltered(query))
      return {
        question,
        ...(await readFilteredVectors({ db, cache }, { query, model, vector: question })),
      };
    const count = Math.max(query.limit, MIN_BY_MEANING);
    const nearest = await findNearest(cache, { model, vector: question, tenantId, segments, count });
    return { question, vectors: await readSegmentVectors(db, { tenantId, model }, nearest) };
  }
}

const byWords = (found: SearchCandidates, reason = 'The question has no vector.'): SearchCandidates => ({
  ...found,
  notes: [`Answered by words alone: ${reason}`],
});
