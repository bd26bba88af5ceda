import { pairKey } from './pairs.js';
import type { Token } from './tokens.js';

/** Word weights within a document. */
export interface WordWeights {
  /** 0 to 1, by the key under which a word's forms are counted. */
  weightOf(key: string): number;
  /** Whether two words keep occurring together. */
  isCollocation(pair: string, left: string, right: string): boolean;
}

/** Below this many texts a word counts as rare: what stands once is seldom what a text is about. */
const RARE = 3;
const MIN_TERM = 3;
const COHESION = 0.5;
const MAX_PAIRS = 100_000;

/** Inverse document frequency over the tokens of texts, e.g. of the chunks at a document's beginning. */
export function computeWordWeights(texts: Iterable<readonly Token[]>): WordWeights {
  const words = new Map<string, number>();
  const pairs = new Map<string, number>();
  let total = 0;
  for (const tokens of texts) {
    total++;
    for (const key of new Set(tokens.map(({ word }) => word.key))) increase(words, key);
    for (const key of new Set(tokens.map((token, index) => pairKey(token, tokens[index + 1])))) {
      if (key !== undefined) increase(pairs, key);
    }
    if (pairs.size > MAX_PAIRS) dropSingles(pairs);
  }
  const most = Math.log(1 + total / Math.min(RARE, total));
  return {
    weightOf: (key) => {
      const count = Math.max(words.get(key) ?? pairs.get(key) ?? 0, Math.min(RARE, total));
      return most ? Math.log(1 + total / count) / most : 1;
    },
    isCollocation: (pair, left, right) => {
      const together = pairs.get(pair) ?? 0;
      const [a, b] = [words.get(left) ?? together, words.get(right) ?? together];
      return together >= MIN_TERM && together >= Math.sqrt(a * b) * COHESION;
    },
  };
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function dropSingles(counts: Map<string, number>): void {
  for (const [key, count] of counts) if (count === 1) counts.delete(key);
}
