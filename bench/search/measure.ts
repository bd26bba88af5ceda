import { quantile } from '../../src/cli/eval/quantile.js';
import type { Random } from '../support/random.js';
import type { Question, QuestionKind } from './questions.js';

const WARM_UP_ROUNDS = 3;

export interface Outcome {
  milliseconds: number;
  /** Number of chunks found, where chunks are asked for. */
  hits?: number;
  isTimeout?: boolean;
}

/** Something that takes time to answer: an engine, or a request to compare it with. */
export interface Contestant {
  name: string;
  /** Most requests of a kind; unlimited where it is absent. */
  maxRequests?: number;
  /** @returns undefined when it does not answer questions of this sort */
  ask(question: Question): Promise<Outcome | undefined>;
}

export interface Asked extends Outcome {
  contestant: string;
  kind: string;
}

/**
 * Asks all contestants the same questions, one request after another: in each round one question of each kind. Who is
 * first changes from round to round, so that whatever else slows the machine slows all.
 */
export async function askInRounds(
  kinds: QuestionKind[],
  contestants: Contestant[],
  { requests, random }: { requests: number; random: Random },
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (let round = -WARM_UP_ROUNDS; round < requests; round++) {
    for (const { name: kind, draw } of kinds) {
      const question = draw(random);
      for (const { name: contestant, ask, maxRequests = requests } of round % 2
        ? contestants
        : contestants.toReversed()) {
        if (round >= maxRequests) continue;
        const outcome = await ask(question);
        if (outcome && round >= 0) asked.push({ contestant, kind, ...outcome });
      }
    }
  }
  return asked;
}

export interface Summary {
  requests: number;
  /** On average. */
  hits: number;
  timeouts: number;
  p50: number;
  p95: number;
}

export function summarize(outcomes: Outcome[]): Summary {
  const times = outcomes.map(({ milliseconds }) => milliseconds);
  return {
    requests: outcomes.length,
    hits: outcomes.reduce((sum, { hits = 0 }) => sum + hits, 0) / outcomes.length,
    timeouts: outcomes.filter(({ isTimeout }) => isTimeout).length,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  };
}
