import type { Random } from '../support/random.js';

export type Texts = ReturnType<typeof createTexts>;

/** Texts of an invented language, each part with a word of its own. */
export function createTexts(random: Random) {
  let markers = 0;

  /** About as long as a chunk. */
  function section(): string {
    const words = Array.from({ length: random.between(60, 130) }, random.word);
    words.splice(random.below(words.length), 0, `m${String(++markers).padStart(7, '0')}`);
    return `${words.join(' ')}.`;
  }

  return { section, text: () => Array.from({ length: random.between(1, 4) }, section).join('\n\n') };
}

/** The word that stands in no other chunk. */
export const markerOf = (content: string): string | undefined => /\bm\d{7}\b/.exec(content)?.[0];
