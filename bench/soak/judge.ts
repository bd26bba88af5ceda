import { fitLine, isGrowing, type Tolerance, type Trend } from './trend.js';

export interface Sample {
  /** Since the start. */
  hours: number;
  values: Record<string, number>;
}

const MIB = 1024 * 1024;
/**
 * How much may grow in an hour, by the end of its name. What is not in the list is shown only: what is dead is cleaned at
 * intervals, pauses are those of the machine, and rows of the audit log are kept.
 */
const TOLERANCES: [RegExp, Tolerance][] = [
  [/^(api|worker) (rss|heap|external)$/, { share: 0.02, amount: MIB }],
  [/^database memory$/, { share: 0.03, amount: 2 * MIB }],
  [/ descriptors$/, { share: 0.02, amount: 4 }],
  [/^database connections$/, { share: 0.02, amount: 1 }],
  [/^(?!audit_events ).* (table|indexes)$/, { share: 0.05, amount: MIB }],
  [/^audit_events bytes a row$/, { share: 0.05, amount: 5 }],
  [/^latency p(50|99)$/, { share: 0.2, amount: 10 }],
];

export interface Verdict extends Trend {
  name: string;
  first: number;
  last: number;
  /** Undefined where it is not judged. */
  isGrowing: boolean | undefined;
}

/** A line through each series of measurements, and whether it grows. */
export function judge(samples: Sample[]): Verdict[] {
  const names = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
  return names.flatMap((name) => {
    const points = samples.flatMap(({ hours, values }): [number, number][] => {
      const value = values[name];
      return value === undefined ? [] : [[hours, value]];
    });
    if (points.length < 3) return [];
    const trend = fitLine(points);
    const tolerance = TOLERANCES.find(([pattern]) => pattern.test(name))?.[1];
    const [[, first], [, last]] = [points[0] as [number, number], points.at(-1) as [number, number]];
    return [{ name, first, last, ...trend, isGrowing: tolerance && isGrowing(trend, tolerance) }];
  });
}
