import type { Database } from '../../../db/schema.js';
import { isCancelledStatement, unavailable } from '../../errors/errors.js';
import type { Candidate, ChunkIndex, ChunkQuery, SearchCandidates } from '../chunk-index.js';
import {
  FEW_CHUNKS,
  type FilteredQuery,
  findPassing,
  isFiltered,
  isHopeless,
  placesOf,
  readPassing,
} from '../filter/find-passing.js';
import { keepPassing } from '../filter/keep-passing.js';
import type { Passing } from '../filter/passing.js';
import { inSnapshot, walkSegments } from '../filter/walk-segments.js';
import { type QueryTerms, weighQuery } from '../ranking/bm25.js';
import { type CountedChunk, countTerms } from '../ranking/count-terms.js';
import { bestFirst, rankChunks } from '../ranking/rank.js';
import { readSegmentChunkTerms } from '../ranking/read-chunk-terms.js';
import {
  besideWords,
  completeWord,
  MAX_COMPLETION_CHARACTERS,
  toCompletions,
} from '../suggestions/complete-word.js';
import { readUnfinishedWord, type UnfinishedWord } from '../suggestions/unfinished-word.js';
import { createSynonyms, type Synonyms } from '../synonyms/create-synonyms.js';
import { locateChunks } from '../synonyms/locate-chunks.js';
import { wordsOfChanged } from '../typos/changed-words.js';
import { toCorrections } from '../typos/corrections.js';
import { findAlternatives } from '../typos/find-alternatives.js';
import { createFindable } from '../typos/findable-words.js';
import { withAlternatives } from '../typos/with-alternatives.js';
import { findBestChunks, findMatching } from './postings/best-chunks.js';
import { toCorpusStatistics } from './postings/corpus.js';
import { createPostingCache, type PostingCache } from './postings/posting-cache.js';
import { addPostings, DEFAULT_LIMITS, type PostingLimits, readPostings } from './postings/read-postings.js';
import { type FoundWords, readWords } from './postings/read-words.js';
import type { SegmentOrdinals } from './postings/top-chunks.js';

/** Chunks ranked with pairs, at least, and beyond the candidates asked for; more where too few of them are left. */
const MIN_RANKED = 100;
const DEPTH_GROWTH = 5;
const MAX_RANKED = 10_000;
/** While a question is typed. */
const MIN_SUGGESTED = 30;
const SUGGESTION_LIMITS: PostingLimits = { bytes: 300_000, lookups: 1_000, changed: 200 };
/** Where too few of what was read pass a filter. */
const THOROUGH_LIMITS: PostingLimits = {
  bytes: 60_000_000,
  lookups: 30_000,
  changed: DEFAULT_LIMITS.changed,
};
/** After a statement that took too long. */
const REDUCED_LIMITS: PostingLimits = { bytes: 200_000, lookups: 500, changed: 200 };
/** How often a search starts again because segments were merged under it. */
const MAX_ATTEMPTS = 10;

/**
 * Full-text search in PostgreSQL, over postings that are written in the transaction of the change or, until they are
 * merged, over the terms of the changed chunks: always consistent. Postings choose the candidates; the best are ranked
 * with pairs by their current terms.
 */
export function createPostgresEngine({
  db,
  synonyms = createSynonyms({ db }),
  cache = createPostingCache(),
}: {
  db: Database;
  synonyms?: Synonyms;
  cache?: PostingCache;
}): ChunkIndex {
  const engine = 'postgres' as const;
  return { engine, search, status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    const { terms, synonyms: used } = await synonyms.parse(query);
    if (terms.terms.length === 0 || query.datasetIds.length === 0) {
      return { engine, mode: 'lexical', candidates: [], isTruncated: false };
    }
    const usual = query.isUnfinished ? SUGGESTION_LIMITS : DEFAULT_LIMITS;
    let limits = usual;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        const found = await searchOnce(db, query, terms, limits);
        if (found) return { ...found, ...used, isTruncated: found.isTruncated || limits !== usual };
      } catch (error) {
        if (!isCancelledStatement(error)) throw error;
        if (limits === REDUCED_LIMITS) throw unavailable('The search took too long.', error);
        limits = REDUCED_LIMITS;
      }
    }
    throw unavailable('The search index changes too fast.');
  }

  /** @returns undefined when a segment was merged meanwhile; in a snapshot, where it takes too long to find what passes */
  async function searchOnce(
    db: Database,
    query: ChunkQuery,
    words: QueryTerms,
    limits: PostingLimits,
  ): Promise<SearchCandidates | undefined> {
    const isThorough = limits === THOROUGH_LIMITS;
    const [known, read] = await Promise.all([
      isFiltered(query) ? findPassing(db, query, { isThorough }) : undefined,
      readCorpus(db, query, words, limits),
    ]);
    if (!read) return undefined;
    const { terms, found, changed, corpus, unfinished, completed, mistyped } = read;
    // Segments that were merged since.
    if (known && found.segments.some(({ id }) => !known.segmentIds.has(id))) return undefined;
    const weights = weighQuery(terms, corpus);
    const scored = { segments: found.segments, weights, corpus };
    let chosen = known;
    if (isThorough && isFiltered(query) && !known?.isExact) {
      const matching = (ordinals?: SegmentOrdinals) => findMatching({ ...scored, ordinals });
      chosen = await walkSegments(db, query, { known, matching });
      if (!chosen) return undefined;
    }
    const few = isFiltered(query) && (await readFew(db, query, chosen));
    // Whoever reads the hits looks at the filter again.
    const unchecked = chosen?.isExact ? { tenantId: query.tenantId } : query;
    const rank = async (chunks: CountedChunk[]) =>
      rankChunks(terms, corpus, await locateChunks(db, query, terms, chunks));
    const candidates = new Map<string, Candidate>();
    const answer = (isTruncated: boolean): SearchCandidates => ({
      engine,
      mode: 'lexical',
      candidates: [...candidates.values()].sort(bestFirst).slice(0, query.limit),
      isTruncated,
      ...toCorrections(query.text, mistyped),
      ...(unfinished && { completions: toCompletions(query.text, unfinished, completed, mistyped) }),
    });
    const add = (ranked: Candidate[]) => {
      for (const one of ranked) candidates.set(one.chunkId, one);
    };
    add(await keepPassing(db, query, await rank(changed)));
    if (few) {
      add(await rank(await countTerms(terms, few)));
      return answer(!chosen?.documentIds && found.changed.length >= limits.changed);
    }
    const least = query.isUnfinished ? MIN_SUGGESTED : MIN_RANKED;
    let ranked = 0;
    for (
      let depth = Math.max(least, Math.min(2 * query.limit, query.limit + least));
      ;
      depth *= DEPTH_GROWTH
    ) {
      const best = await findBestChunks({ ...scored, ordinals: chosen?.ordinals }, depth);
      const chunks = await readSegmentChunkTerms(db, unchecked, best.slice(ranked));
      if (!chunks) return undefined;
      ranked = best.length;
      add(await rank(await countTerms(terms, chunks)));
      const isAll = best.length < depth;
      const isOver = isAll || candidates.size >= query.limit;
      if (isFiltered(query) && candidates.size < query.limit && limits === DEFAULT_LIMITS) {
        const isInVain = chosen?.isExact !== true && isHopeless(query, { depth, passed: candidates.size });
        if (isAll ? found.isTruncated : isInVain) {
          const all = await inSnapshot(db, (snapshot) => searchOnce(snapshot, query, words, THOROUGH_LIMITS));
          return all ?? answer(true);
        }
      }
      if (isOver || depth >= MAX_RANKED) return answer(found.isTruncated || !isOver);
    }
  }

  /** The terms of all chunks that pass, where these are few. */
  async function readFew(db: Database, query: FilteredQuery, chosen: Passing | undefined) {
    if (chosen?.documentIds) return readPassing(db, query, chosen.documentIds);
    const places = chosen && placesOf(chosen.ordinals, FEW_CHUNKS);
    return places && readSegmentChunkTerms(db, query, places);
  }

  /** The postings of a query's terms and of what else its words may mean. @returns undefined as `searchOnce` does */
  async function readCorpus(db: Database, query: ChunkQuery, words: QueryTerms, limits: PostingLimits) {
    const unfinished = query.isUnfinished ? readUnfinishedWord(query.text) : undefined;
    const merged = unfinished && (await readWords(db, query, [unfinished.word], MAX_COMPLETION_CHARACTERS));
    const blocks = merged?.blocks ?? [];
    const findable = createFindable(db, query);
    const complete = (word: UnfinishedWord, among: FoundWords[], terms: string[]) =>
      completeWord(word, among, { findable, terms, language: query.language });
    const likely = unfinished && (await complete(unfinished, blocks, words.terms));
    const asked = likely ? withAlternatives(words, [likely], []) : words;
    const found = await readPostings(db, query, asked.terms, limits, cache);
    // The words of segments that were merged since have not been read.
    if (merged && found.segments.some(({ id }) => !merged.segmentIds.has(id))) return undefined;
    const changed = await countTerms(asked, found.changed);
    const corpus = toCorpusStatistics(found, changed);
    let changedWords: ReturnType<typeof wordsOfChanged> | undefined;
    const unmerged = () => {
      changedWords ??= wordsOfChanged(found.changed);
      return changedWords;
    };
    // Words of changed chunks alone; all completions.
    const further =
      unfinished && found.changed.length > 0
        ? await complete(unfinished, [...blocks, ...(await unmerged())], asked.terms)
        : undefined;
    const completed = [likely, further].filter((one) => one !== undefined);
    const mistyped =
      query.typos === false || limits === REDUCED_LIMITS
        ? []
        : await findAlternatives(
            db,
            completed.length > 0 && unfinished ? { ...query, text: unfinished.before } : query,
            words,
            { corpus, findable, unmerged, unfinished: unfinished?.word },
          );
    const meant = { unfinished, completed: completed.at(-1), mistyped };
    const otherwise = [...besideWords(completed, words, corpus), ...mistyped];
    const terms = withAlternatives(words, otherwise, corpus.frequencies);
    if (mistyped.length === 0 && !further?.alternatives.length)
      return { terms, found, changed, corpus, ...meant };
    const unread = terms.terms.slice(asked.terms.length);
    const all = addPostings(found, await readPostings(db, query, unread, { ...limits, changed: 0 }, cache));
    if (!all) return undefined;
    const counted = await countTerms(terms, found.changed);
    return { terms, found: all, changed: counted, corpus: toCorpusStatistics(all, counted), ...meant };
  }

  async function status() {
    return { engine, available: true };
  }
}
