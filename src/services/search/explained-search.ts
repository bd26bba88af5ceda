import { scorePartsOf } from '../../search/chunk-index.js';
import type { SearchOperations } from '../../search/operations/search-operations.js';
import type { Search } from './search.js';
import type { ChunkSearch, ExplainedSearch } from './search.schema.js';

export interface ExplainedSearchDependencies {
  search: Search;
  operations: Pick<SearchOperations, 'explainTerms' | 'markMatches'>;
}

export type ExplainedSearches = ReturnType<typeof createExplainedSearches>;

/** Searches with what explains their hits: parts of scores, searched terms, and where the texts have them. */
export function createExplainedSearches({ search, operations }: ExplainedSearchDependencies) {
  return { run };

  async function run(input: ChunkSearch): Promise<ExplainedSearch> {
    const { scope, datasetIds, query: text, language, mode, topK: limit } = input;
    const query = { ...scope, datasetIds, text, language, mode, limit };
    const [found, asked] = await Promise.all([timed(search.search(input)), operations.explainTerms(query)]);
    const { engine, mode: answered, isTruncated, isReranked = null, hits, parts, durationMs } = found;
    const { corrections, didYouMean, synonyms } = found;
    const instead = [...corrections, ...synonyms].flatMap(({ instead }) => instead);
    const searched = { ...query, text: [text, ...instead].join(' ') };
    const terms = instead.length > 0 ? await operations.explainTerms(searched) : asked;
    const texts = hits.flatMap(({ content, contentComplement }) => [content, contentComplement]);
    const marks = await operations.markMatches(searched, texts);
    return {
      engine,
      mode: answered,
      truncated: isTruncated,
      reranked: isReranked,
      durationMs,
      corrections,
      didYouMean,
      synonyms,
      ...terms,
      hits: hits.map((hit, place) => ({
        ...hit,
        ...(parts[place] ?? scorePartsOf()),
        marks: marks[2 * place] ?? [],
        complementMarks: marks[2 * place + 1] ?? [],
      })),
    };
  }
}

async function timed<T extends object>(work: Promise<T>): Promise<T & { durationMs: number }> {
  const begin = performance.now();
  const result = await work;
  return { ...result, durationMs: performance.now() - begin };
}
