import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../bench/support/random.js';
import type { Change } from '../model/register.js';
import { describeOutcome, type Outcome } from './outcome.js';

/** Share of the callers that repeat a write until they know what became of it; the others read later. */
const PATIENT = 0.7;
const PATIENCE_MS = 120_000;
const PAUSE_MS = 500;

export interface Writes {
  counts: { acknowledged: number; inDoubt: number };
  /** Repeats the write, always with the same key, until it is answered, or not. True once it is acknowledged. */
  write<T>(wanted: Write<T>): Promise<boolean>;
}

interface Write<T> {
  /** For a report. */
  what: string;
  send: (key: string) => Promise<Outcome<T>>;
  changes?: Change[];
  onDone?: (value: T) => void;
  /** Nothing leads to what it makes but its answer. */
  mustKnow?: boolean;
}

/** Writes of one client. */
export function createWrites(random: Random, faults: string[]): Writes {
  const counts = { acknowledged: 0, inDoubt: 0 };

  return {
    counts,
    async write({ what, send, changes = [], onDone, mustKnow = false }) {
      const key = randomUUID();
      const isPatient = mustKnow || random.next() < PATIENT;
      const deadline = performance.now() + PATIENCE_MS;
      let outcome = await send(key);
      while (outcome.kind === 'doubt' && isPatient && performance.now() < deadline) {
        await delay(PAUSE_MS);
        outcome = await send(key);
      }
      if (outcome.kind === 'refused') {
        for (const change of changes) change.refuse();
        faults.push(`${what} was answered ${describeOutcome(outcome)}`);
      }
      if (outcome.kind !== 'done') {
        if (outcome.kind === 'doubt') counts.inDoubt++;
        return false;
      }
      counts.acknowledged++;
      for (const change of changes) change.acknowledge();
      onDone?.(outcome.value);
      return true;
    },
  };
}
