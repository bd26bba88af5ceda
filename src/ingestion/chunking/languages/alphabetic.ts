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
    guess: letters < MIN_LETTERS ? undefined : classifyLanguage(text, letters, expected),
  }));
  const votes = new Map<string | undefined, number>();
  for (const { guess, weight } of classifications) add(votes, guess?.language, weight);
  votes.delete(undefined);
  const main = [...votes].sort(([, a], [, b]) => b - a)[0]?.[0];
  const known = main === undefined ? expected : [...expected, main];

  const found = new Map<string | undefined, number>();
  for (const { guess, letters, weight } of classifications) {
    if (guess === undefined) add(found, expected[0], weight);
    else if (letters < MIN_RELIABLE_LETTERS) add(found, known[0], weight);
    else if (known.includes(guess.language)) add(found, guess.language, weight);
    else {
      const close = known.find((code) => guess.scoreFor(code) >= guess.scoreFor(guess.language) * CLOSE);
      add(found, close ?? guess.language, weight);
    }
  }
  return found;
}

function add(counts: Map<string | undefined, number>, code: string | undefined, weight: number): void {
  counts.set(code, (counts.get(code) ?? 0) + weight);
}
