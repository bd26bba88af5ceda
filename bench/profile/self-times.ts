import type { Profiler } from 'node:inspector';

export interface SelfTime {
  /** Name and place of a function. */
  what: string;
  /** In the function itself, a request. */
  microseconds: number;
}

/** What a profile spent in each function itself, the longest first; idle time is left out. */
export function selfTimes(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  requests: number,
): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const spent = new Map<string, number>();
  samples.forEach((id, sample) => {
    const frame = frames.get(id);
    if (!frame || frame.functionName === '(idle)') return;
    const file = frame.url.split('/').slice(-3).join('/');
    const what = `${frame.functionName || '(anonymous)'}${file && ` ${file}:${frame.lineNumber + 1}`}`;
    spent.set(what, (spent.get(what) ?? 0) + (timeDeltas[sample] ?? 0) / requests);
  });
  return [...spent]
    .map(([what, microseconds]) => ({ what, microseconds }))
    .sort((a, b) => b.microseconds - a.microseconds);
}
