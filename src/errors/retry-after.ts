/**
 * Reads the header `Retry-After`: seconds, or a date.
 *
 * @returns milliseconds; undefined without a time that is still to come
 */
export function readRetryAfter(value: string | null | undefined, now = new Date()): number | undefined {
  if (value == null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
