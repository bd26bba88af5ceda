import { classifyByGrammar } from './classify-by-grammar.js';
import { classifyLanguage } from './classify-language.js';
import { sampleExcerpts } from './excerpts.js';

/** Shorter texts are not classified. */
const MIN_LETTERS = 12;
/** With fewer letters the language of the surrounding text wins. */
const MIN_RELIABLE_LETTERS = 50;
/** An expected language is chosen when its score is at least this share of the best. */
const CLOSE = 0.9;

/**
 * The languages of a text in alphabets, with the characters that speak for each: excerpts vote, and one that fits the
 * language of most about as well belongs to it. Those that cannot tell are counted under `undefined`.
 *
 * @param expected languages of the text around
 */
export function detectAlphabeticLanguages(
  text: string,
  expected: readonly string[],
): Map<string | undefined, number> {
  const classifications = sampleExcerpts(text).map(({ text, letters, weight }) => ({
    letters,
    weight,
    classification:
      letters < MIN_LETTERS
        ? undefined
        : (classifyByGrammar(text, expected) ?? classifyLanguage(text, letters, expected)),
  }));
  const votes = new Map<string | undefined, number>();
  for (const { classification, weight } of classifications) add(votes, classification?.language, weight);
  votes.delete(undefined);
  const main = [...votes].sort(([, a], [, b]) => b - a)[0]?.[0];
  const candidates = main === undefined ? expected : [...expected, main];

  const found = new Map<string | undefined, number>();
  for (const { classification, letters, weight } of classifications) {
    if (classification === undefined) add(found, expected[0], weight);
    else if (letters < MIN_RELIABLE_LETTERS) add(found, candidates[0], weight);
    else if (candidates.includes(classification.language)) add(found, classification.language, weight);
    else {
      const close = candidates.find(
        (code) => classification.scoreFor(code) >= classification.scoreFor(classification.language) * CLOSE,
      );
      add(found, close ?? classification.language, weight);
    }
  }
  return found;
}

function add(counts: Map<string | undefined, number>, code: string | undefined, weight: number): void {
  counts.set(code, (counts.get(code) ?? 0) + weight);
}
