import type { Random } from '../support/random.js';
import type { Question, QuestionKind } from './questions.js';

const WARM_UP_ROUNDS = 3;

export interface Outcome {
  milliseconds: number;
  /** Number of chunks found, where chunks are asked for. */
  hits?: number;
  /** Which search engine answered. */
  engine?: string;
  isTimeout?: boolean;
}

/** What is measured: a search engine, or a request to compare it with. */
export interface Target {
  name: string;
  /** Most requests of a kind; unlimited where it is absent. */
  maxRequests?: number;
  /** @returns undefined when it does not answer questions of this sort */
  ask(question: Question): Promise<Outcome | undefined>;
}

export interface Asked extends Outcome {
  target: string;
  kind: string;
}

/**
 * Asks all targets the same questions, one request after another: in each round one question of each kind. Their order
 * is reversed every other round, so that whatever else slows the machine slows all.
 */
export async function askInRounds(
  kinds: QuestionKind[],
  targets: Target[],
  { requests, random }: { requests: number; random: Random },
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (let round = -WARM_UP_ROUNDS; round < requests; round++) {
    for (const { name: kind, draw } of kinds) {
      const question = draw(random);
      for (const { name: target, ask, maxRequests = requests } of round % 2
        ? targets
        : targets.toReversed()) {
        if (round >= maxRequests) continue;
        const outcome = await ask(question);
        if (outcome && round >= 0) asked.push({ target, kind, ...outcome });
      }
    }
  }
  return asked;
}
