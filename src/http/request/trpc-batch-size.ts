import type { Request } from 'express';

/** Maximum tRPC batch size. */
export const MAX_BATCH_SIZE = 100;

/** The number of calls in a tRPC batch request; undefined if it is no batch. */
export function trpcBatchSize({ baseUrl, path, originalUrl }: Request): number | undefined {
  if (!/^\/trpc(\/|$)/i.test(baseUrl + path)) return undefined;
  // Parsed as tRPC does; Express handles repeated and surplus parameters differently.
  const { searchParams } = new URL(originalUrl.replace(/^[^?]*/, ''), 'http://host');
  return searchParams.get('batch') === '1' ? path.split(/,|%2c/i).length : undefined;
}
