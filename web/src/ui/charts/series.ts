export type ChartTone = 'neutral' | 'accent' | 'good' | 'bad' | 'busy';

/** Values over time, one for each step; null where there is none. */
export interface Series {
  name: string;
  tone: ChartTone;
  values: readonly (number | null)[];
}

/** Of the coordinates that charts are drawn in, whatever their size on the screen. */
export const WIDTH = 240;
export const HEIGHT = 60;

/** The highest value, and at least one, so that there is always a scale. */
export const highest = (values: readonly (number | null)[]): number =>
  Math.max(1, ...values.map((value) => value ?? 0));

/** The path of a line through the values; it is interrupted where there is none, and a single value is a point. */
export function linePath(values: readonly (number | null)[], top: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  const parts: string[] = [];
  let isDrawing = false;
  for (const [place, value] of values.entries()) {
    if (value !== null) {
      const point = `${round(place * step)} ${round(HEIGHT - (value / top) * HEIGHT)}`;
      parts.push(isDrawing ? `L${point}` : `M${point}h0.01`);
    }
    isDrawing = value !== null;
  }
  return parts.join('');
}

export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  tone: ChartTone;
}

/** Bars of all series on top of each other, the first at the bottom. */
export function stackBars(series: readonly Series[]): Bar[] {
  const steps = Math.max(0, ...series.map(({ values }) => values.length));
  const sums = Array.from({ length: steps }, (_, place) =>
    series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0),
  );
  const top = highest(sums);
  const width = WIDTH / Math.max(1, steps);
  return sums.flatMap((_, place) => {
    let below = 0;
    return series.flatMap(({ values, tone }) => {
      const value = values[place] ?? 0;
      if (value === 0) return [];
      const height = (value / top) * HEIGHT;
      below += height;
      return {
        x: round(place * width),
        y: round(HEIGHT - below),
        width: round(width * 0.8),
        height: round(height),
        tone,
      };
    });
  });
}

const round = (value: number): number => Math.round(value * 100) / 100;
