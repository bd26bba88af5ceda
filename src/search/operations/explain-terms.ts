import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';
import { readCorpusStatistics } from '../postgres/postings/corpus.js';
import { parseQuery } from '../ranking/query-terms.js';

export interface TermExplanation {
  term: string;
  /** How many chunks of the datasets hold it; a chunk that changed may count twice until the change is merged. */
  chunks: number;
}

export interface QueryExplanation {
  /** What is left of the question, rarest first. */
  terms: TermExplanation[];
  /** In the datasets. */
  chunks: number;
}

/** Tells which terms a search uses, and how many chunks hold them. */
export async function explainTerms(db: Database, query: ChunkQuery): Promise<QueryExplanation> {
  const queryTerms = parseQuery(query);
  const { size, frequencies } = await readCorpusStatistics(db, query, queryTerms);
  return { terms: toExplained(queryTerms.terms, frequencies), chunks: size };
}

/** Rarest first. */
export const toExplained = (terms: string[], frequencies: number[]): TermExplanation[] =>
  terms.map((term, i) => ({ term, chunks: frequencies[i] ?? 0 })).sort((a, b) => a.chunks - b.chunks);
