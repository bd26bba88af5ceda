import { quantile } from '../../src/cli/eval/quantile.js';
import type { Outcome } from './ask-in-rounds.js';

export interface Summary {
  requests: number;
  /** On average. */
  hits: number;
  timeouts: number;
  /** How many PostgreSQL answered. */
  byPostgres: number;
  p50: number;
  p95: number;
}

export function summarize(outcomes: Outcome[]): Summary {
  const times = outcomes.map(({ milliseconds }) => milliseconds);
  return {
    requests: outcomes.length,
    hits: outcomes.reduce((sum, { hits = 0 }) => sum + hits, 0) / outcomes.length,
    byPostgres: outcomes.filter(({ engine }) => engine === 'postgres').length,
    timeouts: outcomes.filter(({ isTimeout }) => isTimeout).length,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  };
}
