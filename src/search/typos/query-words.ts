import { runAtOnce } from '../../async/steps.js';
import { tokenizeInSteps } from '../ranking/analyze.js';

/** A word of a question that may be mistyped. */
export interface QueryWord {
  /** As it is written, in lower case without accents. */
  word: string;
  term: string;
}

/** In quotation marks of any kind a text means what it says. */
export const QUOTED = /"[^"]*"|“[^“”]*”|«[^«»]*»|「[^「」]*」|『[^『』]*』/g;
/** Codes and numbers have digits. */
const LETTERS = /^\p{L}+$/u;

/** The distinct words of a question in their order, but for those in quotation marks, and codes and numbers. */
export function readQueryWords(text: string): QueryWord[] {
  const words = new Map<string, string>();
  runAtOnce(tokenizeInSteps(text.replace(QUOTED, ' '), words));
  return [...words].filter(([word]) => LETTERS.test(word)).map(([word, term]) => ({ word, term }));
}
