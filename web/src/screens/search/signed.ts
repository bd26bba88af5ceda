/** A number as a further part of a sum. */
export const signed = (value: number): string => `${value < 0 ? '−' : '+'} ${Math.abs(value).toFixed(2)}`;
