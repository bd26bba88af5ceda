/** A line through measurements. */
export interface Trend {
  mean: number;
  /** By the line. */
  perHour: number;
  /** Standard error of that. */
  error: number;
  /** From the first to the last. */
  hours: number;
}

/** Fits a line by least squares. @param points hours and values; at least three */
export function fitLine(points: [hours: number, value: number][]): Trend {
  const n = points.length;
  const meanTime = points.reduce((sum, [time]) => sum + time, 0) / n;
  const mean = points.reduce((sum, [, value]) => sum + value, 0) / n;
  const spread = points.reduce((sum, [time]) => sum + (time - meanTime) ** 2, 0);
  const perHour = points.reduce((sum, [time, value]) => sum + (time - meanTime) * (value - mean), 0) / spread;
  const residual = points.reduce(
    (sum, [time, value]) => sum + (value - mean - perHour * (time - meanTime)) ** 2,
    0,
  );
  const error = Math.sqrt(residual / Math.max(1, n - 2) / spread);
  const times = points.map(([time]) => time);
  return { mean, perHour, error, hours: Math.max(...times) - Math.min(...times) };
}

/** How much a measurement may grow in an hour, or in less where it is measured for less: a share of its mean, and an amount. */
export interface Tolerance {
  share: number;
  amount: number;
}

/** Whether it grows by more than that, beyond what chance explains. */
export const isGrowing = ({ mean, perHour, error, hours }: Trend, { share, amount }: Tolerance): boolean =>
  (perHour - 2 * error) * Math.min(1, hours) > share * mean + amount;
