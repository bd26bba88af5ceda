import { runAtOnce, type Steps } from '../../async/steps.js';
import { ANALYZER_VERSION, countTermsOf, tokenizeInSteps } from '../ranking/analyze.js';
import { toStoredWords } from './chunk-words.js';

export interface SearchableChunk {
  content: string;
  contentComplement: string;
  keywords: Record<string, number>;
}

export interface ChunkTerms {
  /** Its tokens in the order of the text, separated by spaces. */
  terms: string;
  /** Its words, each once, of which some are not their own terms; separated by spaces. See `toStoredWords`. */
  words: string;
  /** How many terms the chunk has, repetitions included. */
  length: number;
  /** Version of the analysis that made them. */
  analyzer: number;
}

/** The search terms of a chunk, as stored for both engines. */
export const analyzeChunk = (chunk: SearchableChunk): ChunkTerms => runAtOnce(analyzeChunkInSteps(chunk));

/** The same in steps. */
export function* analyzeChunkInSteps(chunk: SearchableChunk): Steps<ChunkTerms> {
  const words = new Map<string, string>();
  const tokens = yield* tokenizeInSteps(searchableText(chunk), words);
  yield;
  const length = tokens.reduce((sum, token) => sum + countTermsOf(token), 0);
  return { terms: tokens.join(' '), words: toStoredWords(words), length, analyzer: ANALYZER_VERSION };
}

/** The chunk's text under its headings, and the keywords that are not words of it already. */
function searchableText({ content, contentComplement, keywords }: SearchableChunk): string {
  const lowerCase = content.toLowerCase();
  const further = Object.keys(keywords).filter((word) => !lowerCase.includes(word.toLowerCase()));
  return [contentComplement, content, ...further].filter(Boolean).join('\n');
}
