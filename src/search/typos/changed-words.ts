import { readStoredWords } from '../indexing/chunk-words.js';
import type { FoundWords } from '../postgres/postings/read-words.js';
import type { TokenizedChunk } from '../ranking/count-terms.js';

/** A chunk that changed since the segments were written. */
export interface ChangedChunk extends TokenizedChunk {
  /** Those of its words that are not their own terms. */
  words: string;
}

/** The words of changed chunks, as if each were a segment. */
export function wordsOfChanged(chunks: ChangedChunk[]): FoundWords[] {
  const counts = Buffer.alloc(MAX_WORDS);
  return chunks.map((chunk) => ({ place: -1, words: [...readStoredWords(chunk)].join(' '), counts }));
}

/** More than a chunk can hold. */
const MAX_WORDS = 65_536;
