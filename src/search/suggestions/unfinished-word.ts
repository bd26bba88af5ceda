import { runAtOnce } from '../../async/steps.js';
import { tokenizeInSteps, WORD } from '../ranking/analyze.js';

/** A single letter says nothing, and a tenth of all words begin with it. */
const MIN_LENGTH = 2;
/** Of longer ones none is completed: see `segment-words.ts`. */
const MAX_LENGTH = 31;

/** The last word of a question, which is still being typed. */
export interface UnfinishedWord {
  /** In lower case, without accents. */
  word: string;
  term: string;
  /** What is written before it. */
  before: string;
}

/** Undefined behind a space, and in scripts that are written without spaces. */
export function readUnfinishedWord(text: string): UnfinishedWord | undefined {
  const written = text.match(WORD)?.at(-1);
  if (!written || !text.endsWith(written)) return undefined;
  const words = new Map<string, string>();
  const tokens = runAtOnce(tokenizeInSteps(written, words));
  const [word, term] = [...words].at(-1) ?? [];
  if (word === undefined || term === undefined || term !== tokens.at(-1)) return undefined;
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return undefined;
  return { word, term, before: text.slice(0, -written.length) };
}
