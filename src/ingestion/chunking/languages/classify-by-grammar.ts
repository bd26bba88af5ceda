import { languageOfGrammar } from '../stop-words/stop-words.js';
import type { LanguageClassification } from './classify-language.js';

/** Different words that are grammar in one language alone. */
const MIN_WORDS = 2;
/** How many times as many as of all other languages. */
const LEAD = 4;
const LATIN = /[a-z]/i;
/** From Greek to Mongolian. */
const OTHER_ALPHABETS = /[\u0370-\u1dff]/;
const WORD = /[\p{L}\p{M}]+/gu;

/**
 * Classifies a text as the expected language whose grammar it has, and no other's; undefined in doubt: n-gram
 * statistics, which take far longer, decide those.
 */
export function classifyByGrammar(
  text: string,
  expected: readonly string[],
): LanguageClassification | undefined {
  if (expected.length === 0 || isMixed(text)) return undefined;
  const counts = new Map<string, number>();
  let total = 0;
  for (const word of new Set(text.toLowerCase().match(WORD))) {
    const language = languageOfGrammar(word);
    if (language === undefined) continue;
    counts.set(language, (counts.get(language) ?? 0) + 1);
    total++;
  }
  const language = expected.find((code) => isClear(counts.get(code) ?? 0, total));
  return language === undefined ? undefined : { language, scoreFor: (code) => (code === language ? 1 : 0) };
}

const isClear = (count: number, total: number): boolean =>
  count >= MIN_WORDS && count >= (total - count) * LEAD;

/** What is said in one alphabet does not tell the language of the other. */
const isMixed = (text: string): boolean => LATIN.test(text) && OTHER_ALPHABETS.test(text);
