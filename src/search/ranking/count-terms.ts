import { runYielding, type Steps } from '../../async/steps.js';
import { isUnspaced } from './analyze.js';
import type { CandidateTerms, QueryTerms } from './bm25.js';

/** Searched, each once for each term and pair: some milliseconds even where every other one is a match. */
const CHARACTERS_OF_STEP = 500_000;

/** A chunk with its tokens, which are separated by spaces. */
export interface TokenizedChunk {
  chunkId: string;
  length: number;
  terms: string;
}

export interface CountedChunk extends CandidateTerms {
  chunkId: string;
}

/** Counts the terms and pairs of a query in chunks. Other work of the event loop runs in between. */
export const countTerms = (query: QueryTerms, chunks: TokenizedChunk[]): Promise<CountedChunk[]> =>
  runYielding(countTermsInSteps(query, chunks));

export function* countTermsInSteps(
  { terms, pairs }: QueryTerms,
  chunks: TokenizedChunk[],
): Steps<CountedChunk[]> {
  const phrases = pairs.map(([a, b]) => `${terms[a]} ${terms[b]}`);
  const counted: CountedChunk[] = [];
  let searched = 0;
  const isStepOver = (text: string) => {
    searched += text.length;
    if (searched < CHARACTERS_OF_STEP) return false;
    searched = 0;
    return true;
  };
  for (const { chunkId, length, terms: tokens } of chunks) {
    const text = `${tokens} `;
    const counts: number[] = [];
    for (const term of terms) {
      counts.push(isUnspaced(term) ? countOverlapping(text, term) : countWords(text, term));
      if (isStepOver(text)) yield;
    }
    const pairCounts: number[] = pairs.map(() => 0);
    for (const [i, [a, b]] of pairs.entries()) {
      if (!counts[a] || !counts[b]) continue;
      pairCounts[i] = countWords(text, phrases[i] as string);
      if (isStepOver(text)) yield;
    }
    counted.push({ chunkId, length, counts, pairCounts });
  }
  return counted;
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
