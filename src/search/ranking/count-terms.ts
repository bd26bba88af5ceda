import { isUnspaced } from './analyze.js';
import type { CandidateTerms, QueryTerms } from './bm25.js';

/** Counts the terms and pairs of a query in a chunk's tokens, which are separated by spaces. */
export function countTerms(
  { terms, pairs }: QueryTerms,
  chunk: { terms: string; length: number },
): CandidateTerms {
  const text = ` ${chunk.terms} `;
  const counts = terms.map((term) =>
    isUnspaced(term) ? countOverlapping(text, term) : countWord(text, term),
  );
  const pairCounts = pairs.map(([a, b]) =>
    counts[a] && counts[b] ? countWord(text, `${terms[a]} ${terms[b]}`) : 0,
  );
  return { length: chunk.length, counts, pairCounts };
}

/** Words that follow each other share the space between them. */
const countWord = (text: string, word: string): number => countOverlapping(text, ` ${word} `);

function countOverlapping(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found++;
  return found;
}
