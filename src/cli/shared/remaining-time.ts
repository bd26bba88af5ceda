import { formatSpan } from './format.js';

/** Sooner nobody knows: the first of twenty documents may take as long as all others. */
const LEAST_MS = 3_000;
const LEAST_DONE = 10;
/** How long a new pace takes to count. */
const SMOOTHING_MS = 15_000;
/** How many times as long as was told, and how much besides, it must take to be told anew. */
const LONGER_TIMES = 2;
const LONGER_MS = 10_000;

/**
 * Estimates how long something goes on, such that a person can read it: roughly, and as a countdown, which does not follow each
 * change of pace.
 */
export function createRemainingTime(begun: { at: number; done: number }) {
  let last = begun;
  /** Per millisecond. */
  let pace: number | undefined;
  let end = Number.NEGATIVE_INFINITY;

  /** @returns undefined while too little is known, and at the end */
  return (now: number, { done, total }: { done: number; total: number }): string | undefined => {
    const passed = now - last.at;
    const isEarly = now - begun.at < LEAST_MS || done - begun.done < LEAST_DONE;
    if (isEarly || passed <= 0 || done >= total) return undefined;
    const current = (done - last.done) / passed;
    pace = pace === undefined ? current : current + (pace - current) * Math.exp(-passed / SMOOTHING_MS);
    last = { at: now, done };
    if (pace <= 0) return undefined;
    const left = (total - done) / pace;
    const told = Math.max(0, end - now);
    if (left < told || left > LONGER_TIMES * told + LONGER_MS) end = now + left;
    return describe(end - now);
  };
}

function describe(ms: number): string {
  if (ms < 5_000) return 'a few seconds left';
  const step = ms < 60_000 ? 5_000 : ms < 600_000 ? 30_000 : 60_000;
  const rounded = Math.round(ms / step) * step;
  return `about ${rounded < 10_000 ? `${rounded / 1_000} s` : formatSpan(rounded)} left`;
}
