import type { Random } from '../../../bench/support/random.js';

export type Texts = ReturnType<typeof createTexts>;

/** A word that stands in no other text. */
export const markerOf = (number: number): string => `m${String(number).padStart(7, '0')}`;

/**
 * Texts of an invented language, each part with a word of its own.
 *
 * @param first of the words' numbers; another for each client
 */
export function createTexts(random: Random, first: number) {
  let markers = first;

  /** About as long as a chunk. */
  function section(): string {
    const words = Array.from({ length: random.between(60, 130) }, random.word);
    words.splice(random.below(words.length), 0, markerOf(markers++));
    return `${words.join(' ')}.`;
  }

  return { section, text: () => Array.from({ length: random.between(1, 4) }, section).join('\n\n') };
}
