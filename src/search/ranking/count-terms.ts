import { isUnspaced } from './analyze.js';
import type { CandidateTerms, QueryTerms } from './bm25.js';

/** A chunk with its tokens, which are separated by spaces. */
export interface TokenizedChunk {
  chunkId: string;
  length: number;
  terms: string;
}

export interface CountedChunk extends CandidateTerms {
  chunkId: string;
}

/** Counts the terms and pairs of a query in chunks. */
export function countTerms({ terms, pairs }: QueryTerms, chunks: TokenizedChunk[]): CountedChunk[] {
  const phrases = pairs.map(([a, b]) => `${terms[a]} ${terms[b]}`);
  return chunks.map(({ chunkId, length, terms: tokens }) => {
    const text = `${tokens} `;
    const counts = terms.map((term) =>
      isUnspaced(term) ? countOverlapping(text, term) : countWords(text, term),
    );
    const pairCounts = pairs.map(([a, b], i) =>
      counts[a] && counts[b] ? countWords(text, phrases[i] as string) : 0,
    );
    return { chunkId, length, counts, pairCounts };
  });
}

/** Words that follow each other share the space between them. */
function countWords(text: string, words: string): number {
  const part = `${words} `;
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (at === 0 || text.charCodeAt(at - 1) === SPACE) found++;
  }
  return found;
}

const SPACE = 0x20;

function countOverlapping(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found++;
  return found;
}
