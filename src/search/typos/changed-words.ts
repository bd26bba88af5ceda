import { runYielding, type Steps } from '../../async/steps.js';
import { readStoredWords } from '../indexing/chunk-words.js';
import type { FoundWords } from '../postgres/postings/read-words.js';
import type { TokenizedChunk } from '../ranking/count-terms.js';

/** A chunk that changed since the segments were written. */
export interface ChangedChunk extends TokenizedChunk {
  /** Those of its words that are not their own terms, and which terms are no words. */
  words: string;
}

/** Of texts that are read, and of those that are read in one step. */
const MAX_CHARACTERS = 500_000;
const CHARACTERS_OF_STEP = 50_000;
/** More words than a chunk can hold. */
const COUNTS = Buffer.alloc(65_536);

/** The words of changed chunks, as if each were a segment; of many, those of the first. */
export const wordsOfChanged = (chunks: ChangedChunk[]): Promise<FoundWords[]> =>
  runYielding(readWordsInSteps(chunks));

function* readWordsInSteps(chunks: ChangedChunk[]): Steps<FoundWords[]> {
  const found: FoundWords[] = [];
  let [read, unyielded] = [0, 0];
  for (const chunk of chunks) {
    if (read > MAX_CHARACTERS) break;
    const words = [...readStoredWords(chunk)].join(' ');
    found.push({ place: -1, words, counts: COUNTS, isCurrent: true });
    read += words.length;
    unyielded += chunk.terms.length;
    if (unyielded < CHARACTERS_OF_STEP) continue;
    unyielded = 0;
    yield;
  }
  return found;
}
