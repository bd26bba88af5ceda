import type { IncomingMessage } from 'node:http';

/** A body may have this many chunks of any size. */
export const FREE_CHUNKS = 50;
/** Chunks below this size are counted. */
export const MIN_CHUNK_BYTES = 64;
/** Of these all bodies together may have so many at once, and as many in each second: to parse them takes some 40 ms. */
export const MAX_SMALL_CHUNKS = 30_000;
/** Larger chunks are passed on as they come. */
const MAX_SMALL_BYTES = 4 * 1024;
const MAX_JOINED_BYTES = 64 * 1024;

/** Where the parser of a connection has what it calls for each chunk: `HTTPParser.kOnBody`. */
const ON_BODY = 3;
/** Node.js does not type it. */
type Parsed = IncomingMessage['socket'] & { parser?: Record<number, unknown> | null };

/**
 * Has the parser call nobody for the chunks that were read already, which takes an eighth of the time. It is for the next
 * connection later.
 */
function skipChunks({ parser }: Parsed): void {
  const onBody = parser?.[ON_BODY];
  if (!parser || typeof onBody !== 'function') return;
  parser[ON_BODY] = undefined;
  setImmediate(() => {
    parser[ON_BODY] = onBody;
  });
}

/** @returns `joinBodyChunks` for the bodies of one server */
export function createChunkJoiner(now = () => performance.now()) {
  let [allowed, since] = [MAX_SMALL_CHUNKS, now()];

  /** Counts a small chunk. @returns false if there are too many in all bodies */
  function isAllowed(): boolean {
    const elapsed = now() - since;
    since += elapsed;
    allowed = Math.min(MAX_SMALL_CHUNKS, allowed + (elapsed / 1_000) * MAX_SMALL_CHUNKS);
    if (allowed < 1) return false;
    allowed -= 1;
    return true;
  }

  return (req: IncomingMessage, onTooSmall: () => void) => joinBodyChunks(req, isAllowed, onTooSmall);
}

/**
 * Passes the small chunks of a body that arrive together on as one. Node.js emits an event for each HTTP chunk, and
 * readers keep or write each by itself: a body of one-byte chunks took 400 times its size.
 *
 * @param onTooSmall called once when there are too many small chunks; the rest of the body is dropped, and never ends
 */
function joinBodyChunks(req: IncomingMessage, isAllowed: () => boolean, onTooSmall: () => void): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (length === undefined && encoding === undefined) return;
  const pass = req.push.bind(req);
  let received = 0;
  let small: Buffer[] = [];
  let smallBytes = 0;
  let later: NodeJS.Immediate | undefined;
  let isRefused = false;

  function passSmall(): boolean {
    clearImmediate(later);
    later = undefined;
    if (smallBytes === 0) return true;
    // Node.js keeps a chunk of its own for each, which costs more than a copy into the shared pool of buffers.
    const joined = Buffer.concat(small, smallBytes);
    [small, smallBytes] = [[], 0];
    return pass(joined);
  }

  function passLater(): void {
    // As Node.js does when a reader cannot follow.
    if (!req.destroyed && !passSmall()) req.socket.pause();
  }

  function take(chunk: Buffer): boolean {
    received++;
    if (received > FREE_CHUNKS && chunk.length < MIN_CHUNK_BYTES && !isAllowed()) {
      isRefused = true;
      skipChunks(req.socket as Parsed);
      clearImmediate(later);
      small = [];
      onTooSmall();
      return true;
    }
    if (chunk.length > MAX_SMALL_BYTES) {
      passSmall();
      return pass(chunk);
    }
    small.push(chunk);
    smallBytes += chunk.length;
    if (smallBytes >= MAX_JOINED_BYTES) return passSmall();
    later ??= setImmediate(passLater);
    return true;
  }

  // Of the request itself: Express replaces its prototype.
  req.push = (chunk: Buffer | null) => {
    if (isRefused) return true;
    if (chunk) return take(chunk);
    passSmall();
    return pass(null);
  };
}
