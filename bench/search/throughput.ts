import type { Random } from '../support/random.js';
import type { Target } from './ask-in-rounds.js';
import { MIXED } from './questions.js';

export interface Throughput {
  callers: number;
  requestsPerSecond: number;
}

const CALLERS = [1, 8];
const ROUNDS = 3;

/** Searches answered each second while one or several callers ask without pause, alternately. */
export async function measureThroughput(
  { ask }: Target,
  { requests, random }: { requests: number; random: Random },
): Promise<Throughput[]> {
  const each = Math.ceil(requests / ROUNDS);
  const seconds = new Map(CALLERS.map((callers) => [callers, 0]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [callers, before] of seconds)
      seconds.set(callers, before + (await askAll(ask, { each, callers, random })));
  }
  return [...seconds].map(([callers, spent]) => ({
    callers,
    requestsPerSecond: (ROUNDS * callers * each) / spent,
  }));
}

/** @returns the seconds until the last answer */
async function askAll(
  ask: Target['ask'],
  { each, callers, random }: { each: number; callers: number; random: Random },
): Promise<number> {
  const begin = performance.now();
  const call = async () => {
    for (let i = 0; i < each; i++) await ask(MIXED.draw(random));
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (performance.now() - begin) / 1000;
}
