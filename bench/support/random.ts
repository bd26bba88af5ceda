import { spell } from './words.js';

const WORDS = 4_000;

export type Random = ReturnType<typeof createRandom>;

/** Choices that are the same for the same seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (limit: number) => Math.floor(next() * limit);

  return {
    next,
    below,
    between: (least: number, most: number) => least + below(most - least + 1),
    oneOf: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
    /** One of the names, as often as its weight says. */
    weighted<T extends string>(weights: Record<T, number>): T {
      const entries = Object.entries(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return entries[0]?.[0] as T;
    },
    /** A word of an invented language: few are frequent, most are rare. */
    word: () => spell(Math.floor(WORDS ** next())),
  };
}
