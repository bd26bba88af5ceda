import type { IncomingMessage } from 'node:http';

/** For the client to read an answer that comes before its request has ended. */
export const LINGER_MS = 1_000;
/** Read of such a request, so that clients that first send all of it get their answer. */
const MAX_BYTES = 1024 * 1024;

/** Reads what little may be left of a request that was answered, and drops it. Of more, no further byte is read. */
export function readOn(req: IncomingMessage): void {
  let left = MAX_BYTES;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.pause();
  });
}
