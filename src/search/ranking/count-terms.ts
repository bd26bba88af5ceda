import { runYielding, type Steps } from '../../async/steps.js';
import { isUnspaced } from './analyze.js';
import type { CandidateTerms, QueryTerms } from './bm25.js';

/** Searched, each once for each term. */
const CHARACTERS_OF_STEP = 2_000_000;

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
  for (const { chunkId, length, terms: tokens } of chunks) {
    const text = `${tokens} `;
    const counts = terms.map((term) =>
      isUnspaced(term) ? countOverlapping(text, term) : countWords(text, term),
    );
    const pairCounts = pairs.map(([a, b], i) =>
      counts[a] && counts[b] ? countWords(text, phrases[i] as string) : 0,
    );
    counted.push({ chunkId, length, counts, pairCounts });
    searched += text.length * terms.length;
    if (searched < CHARACTERS_OF_STEP) continue;
    searched = 0;
    yield;
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
