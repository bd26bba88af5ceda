export type ChartTone = 'neutral' | 'accent' | 'second' | 'good' | 'bad' | 'busy';

/** Values over time, one for each step; null where there is none. */
export interface Series {
  name: string;
  /** `accent` and `second` tell series apart; the others say how something went. */
  tone: ChartTone;
  values: readonly (number | null)[];
}

/** Of 100, how high the highest value is drawn: there is room for its number above it. */
export const TOP = 86;

/** The highest value, and at least one, so that there is always a scale. */
export const highest = (values: readonly (number | null)[]): number =>
  Math.max(1, ...values.map((value) => value ?? 0));

/** What all series add up to, step by step. */
export const sumsOf = (series: readonly Series[]): number[] =>
  Array.from({ length: Math.max(0, ...series.map(({ values }) => values.length)) }, (_, place) =>
    series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0),
  );

interface Line {
  /** It is interrupted where there is no value. */
  path: string;
  /** Values without one before or behind them, which no line goes through. */
  points: { x: number; y: number }[];
}

/** A line through the values, each in the middle of its step, in percent of the width and height. */
export function toLine(values: readonly (number | null)[], top: number): Line {
  const step = 100 / Math.max(1, values.length);
  const has = (place: number) => values[place] != null;
  const line: Line = { path: '', points: [] };
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const [x, y] = [round((place + 0.5) * step), round(100 - (value / top) * TOP)];
    if (has(place - 1)) line.path += `L${x} ${y}`;
    else if (has(place + 1)) line.path += `M${x} ${y}`;
    else line.points.push({ x, y });
  }
  return line;
}

interface Bar {
  y: number;
  height: number;
  tone: ChartTone;
}

/** The bars of each step on top of each other, those of the first series at the bottom, in percent of the height. */
export function stackBars(series: readonly Series[]): Bar[][] {
  const sums = sumsOf(series);
  const top = highest(sums);
  return sums.map((_, place) => {
    let below = 0;
    return series.flatMap(({ values, tone }) => {
      const value = values[place] ?? 0;
      if (value === 0) return [];
      const height = (value / top) * TOP;
      below += height;
      return { y: round(100 - below), height: round(height), tone };
    });
  });
}

const round = (value: number): number => Math.round(value * 100) / 100;
