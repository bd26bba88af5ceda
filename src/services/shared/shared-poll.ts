import { AsyncResource } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { isOutage } from '../../errors/errors.js';
import type { TenantScope } from './tenant-scope.js';

export interface SharedPollOptions<Question, Answer> {
  /** Answers questions of one tenant, in order. */
  query: (questions: Question[]) => Promise<Answer[]>;
  /** Pause between rounds. */
  intervalMs: number;
  /** Fires when the service stops, so that nobody who waits holds it up. */
  stopping: AbortSignal;
}

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer | undefined): void;
  reject(reason: unknown): void;
}

/** The pause after a round is this many times its duration: at most a fifth of one connection. */
const PAUSE_FACTOR = 4;

/**
 * One polling loop for all waiting requests: each round answers the questions of a tenant with one query,
 * tenant by tenant. Polls only while somebody waits.
 */
export function createSharedPoll<Question extends { scope: TenantScope }, Answer>(
  options: SharedPollOptions<Question, Answer>,
) {
  const { query, intervalMs, stopping } = options;
  const waiting = new Set<Waiting<Question, Answer>>();
  let pauseMs = intervalMs;
  let isRunning = false;
  // The loop serves all requests, so it runs in the context of none.
  const context = new AsyncResource('SharedPoll');
  stopping.addEventListener('abort', () => {
    for (const one of waiting) one.reject(stopping.reason);
  });
  return { next };

  /**
   * The answer of the next round; undefined during an outage.
   *
   * @throws an AbortError when `signal` fires or the service stops
   */
  async function next(question: Question, signal?: AbortSignal): Promise<Answer | undefined> {
    stopping.throwIfAborted();
    signal?.throwIfAborted();
    let one: Waiting<Question, Answer> | undefined;
    let leave: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        one = { question, resolve, reject };
        leave = () => reject(signal?.reason);
        waiting.add(one);
        signal?.addEventListener('abort', leave);
        if (!isRunning) context.runInAsyncScope(() => void run());
      });
    } finally {
      if (one) waiting.delete(one);
      if (leave) signal?.removeEventListener('abort', leave);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.size > 0) {
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => {});
      const start = performance.now();
      await answer([...waiting]);
      pauseMs = Math.max(intervalMs, PAUSE_FACTOR * (performance.now() - start));
    }
    isRunning = false;
  }

  async function answer(all: Waiting<Question, Answer>[]): Promise<void> {
    for (const group of byTenant(all)) {
      try {
        const answers = await query(group.map(({ question }) => question));
        for (const [i, one] of group.entries()) one.resolve(answers[i]);
      } catch (error) {
        if (isOutage(error)) {
          // Skip the other tenants in this round.
          for (const one of all) one.resolve(undefined);
          return;
        }
        for (const one of group) one.reject(error);
      }
    }
  }
}

function byTenant<W extends { question: { scope: TenantScope } }>(all: W[]): W[][] {
  const groups = new Map<string | undefined, W[]>();
  for (const one of all) {
    const { tenantId } = one.question.scope;
    const group = groups.get(tenantId);
    if (group) group.push(one);
    else groups.set(tenantId, [one]);
  }
  return [...groups.values()];
}
