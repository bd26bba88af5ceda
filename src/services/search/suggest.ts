import type { Database } from '../../../db/schema.js';
import type { ChunkIndex } from '../../search/chunk-index.js';
import type { SearchOperations } from '../../search/operations/search-operations.js';
import { cutExcerpt, EXCERPT_LENGTH } from './cut-excerpt.js';
import { findNamedDocuments } from './find-named-documents.js';
import { createSearch } from './search.js';
import type { ChunkSuggestion, Suggestions } from './suggest.schema.js';

/** Completions whose words are marked in the hits: more than a question is searched with. */
const MARKED = 10;

export interface SuggestDependencies {
  db: Database;
  /** By words alone, in PostgreSQL. */
  index: Pick<ChunkIndex, 'search'>;
  operations: Pick<SearchOperations, 'markMatches'>;
  maxPageSize: number;
}

export type Suggest = ReturnType<typeof createSuggest>;

/** Answers questions while they are typed: completions, documents by name, and hits. */
export function createSuggest({ db, index, operations, maxPageSize }: SuggestDependencies) {
  const { search } = createSearch({
    db,
    index: { search: (query) => index.search({ ...query, isUnfinished: true }) },
    maxPageSize,
  });
  return { suggest };

  async function suggest(asked: ChunkSuggestion): Promise<Suggestions> {
    const { scope, datasetIds, text, language, limit } = asked;
    const [found, documents] = await Promise.all([
      search({ scope, datasetIds, query: text, language, topK: limit }),
      findNamedDocuments(db, asked),
    ]);
    const { completions, corrections, hits } = found;
    const words = completions.slice(0, MARKED).map(({ word }) => word);
    const searched = [text, ...words, ...corrections.flatMap(({ instead }) => instead)].join(' ');
    const contents = hits.map(({ content }) => content);
    const marks = await operations.markMatches({ text: searched, language }, contents, EXCERPT_LENGTH);
    return {
      completions: completions.slice(0, limit),
      documents,
      hits: hits.map(({ id, documentId, documentName, score, content }, place) => ({
        id,
        documentId,
        documentName,
        score,
        ...cutExcerpt(content, marks[place] ?? []),
      })),
    };
  }
}
