import { setImmediate } from 'node:timers/promises';
import { createConcurrencyLimit } from '../async/concurrency-limit.js';
import { invalid } from '../errors/errors.js';

/** Calls of one batch at a time: a batch must not take all connections, nor hold all of its pages at once. */
export const CONCURRENT_CALLS = 4;
/** Of all that the calls of a batch answer; a page is at most as large. */
const MAX_BYTES = 10 * 1024 * 1024;

/** The calls that a request makes together. */
export type Batch = ReturnType<typeof createBatch>;

/** Bounds what the calls of one request cost together. */
export function createBatch() {
  const limit = createConcurrencyLimit({ perKey: CONCURRENT_CALLS });
  let bytes = 0;
  return {
    /** Runs a call, with others of the event loop before it. */
    run: <T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
      limit.run(
        '',
        async () => {
          await setImmediate();
          return call();
        },
        signal,
      ),

    /** @throws DomainError `invalid` where the answers so far are as large as all may be */
    assertRoom(): void {
      if (bytes > MAX_BYTES) throw tooMuch();
    },

    /**
     * Counts an answer.
     *
     * @throws DomainError `invalid` where it is not the first, and all together are too large
     */
    count(answer: unknown): void {
      const isFirst = bytes === 0;
      bytes += sizeOf(answer, MAX_BYTES);
      if (!isFirst && bytes > MAX_BYTES) throw tooMuch();
    },
  };
}

const tooMuch = () =>
  invalid('The answers of this batch are larger than 10 MiB together; ask in several requests.', []);

/** About as many bytes as in JSON; counted up to a limit. */
function sizeOf(answer: unknown, most: number): number {
  const open: unknown[] = [answer];
  let size = 0;
  while (open.length > 0 && size <= most) {
    const value = open.pop();
    if (typeof value === 'string') size += 2 + Buffer.byteLength(value);
    else if (typeof value !== 'object' || value === null) size += 8;
    else {
      for (const [key, field] of Object.entries(value)) {
        size += Array.isArray(value) ? 1 : key.length + 4;
        open.push(field);
      }
      size += 2;
    }
  }
  return size;
}
