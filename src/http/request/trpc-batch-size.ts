import type { Request } from 'express';

/** How many calls over tRPC come as one request; undefined where it is no batch. */
export function trpcBatchSize({ path, originalUrl }: Request): number | undefined {
  // Read as tRPC does: Express makes a list of what is said twice, and leaves out what comes late.
  const { searchParams } = new URL(originalUrl.replace(/^[^?]*/, ''), 'http://host');
  return searchParams.get('batch') === '1' ? path.split(/,|%2c/i).length : undefined;
}
