import type { Verdict } from './judge.js';

const isBytes = (name: string) => /(rss|heap|external|memory|table|indexes)$/.test(name);

/** A value of a series, as people read it. */
export function show(name: string, value: number): string {
  if (isBytes(name)) return `${(value / 1024 / 1024).toFixed(1)} MiB`;
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1);
}

export function describeVerdicts(verdicts: Verdict[]): string {
  const lines = verdicts.map(({ name, first, last, mean, perHour, error, isGrowing }) => [
    isGrowing === undefined ? '' : isGrowing ? 'GROWS' : 'flat',
    name,
    show(name, first),
    show(name, last),
    show(name, mean),
    `${show(name, perHour)} ± ${show(name, 2 * error)}`,
  ]);
  const all = [['', 'what', 'first', 'last', 'mean', 'an hour'], ...lines];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0))) ?? [];
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
