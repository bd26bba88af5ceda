import type { Pattern } from './find-patterns.js';

// Of its builds the one in JavaScript: it is the same everywhere.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

/** Steps are counted, not time, so that the answer is the same on a busy machine; and fewer than the checker would. */
const EFFORT = {
  // What takes so long is too complicated anyway.
  timeout: 300_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 30_000_000,
  maxAttackStringSize: 50_000,
  maxNFASize: 2_000,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  mutationSize: 15,
  crossoverSize: 8,
  maxIteration: 3,
};

/** What is wrong with a pattern: how its time grows, and with which text; undefined for a linear one. */
export function faultOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string | undefined {
  // Without repetition there is nothing to try again.
  if (!/[*+{]/.test(source)) return undefined;
  const found = checkSync(source, flags, EFFORT);
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return 'unknown: too complicated';
  return `vulnerable: ${found.complexity.summary}, as with ${found.attack.pattern}`;
}
