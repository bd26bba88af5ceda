import type { Request, Response } from 'express';
import type { FullStreams, StreamCount } from '../access/limits/stream-limits.js';
import { tooManyRequests } from '../errors.js';
import { appRouter } from '../routers/index.js';
import { callerOf } from './caller.js';
import type { GuardStep } from './guard.js';
import { isOver, whenOver } from './when-over.js';

/** When a stream of others ends nobody knows. */
const RETRY_AFTER_SECONDS = 5;

/** A guard's step: nobody has more streams open than the limits allow. tRPC would open one to say no in it. */
export const limitStreams =
  (streams: StreamCount): GuardStep =>
  (req, res) => {
    // Whoever left while the steps before were taken will not be told to close anything.
    if (!asksForStream(req) || isOver(res)) return;
    const caller = callerOf(req, res);
    const full = streams.enter(caller);
    if (full) refuse(res, full);
    res.locals.isCountedStream = true;
    whenOver(res, () => streams.leave(caller));
  };

/** @throws Error where a stream is about to be opened that nobody has counted */
export function assertCounted(res: Response): void {
  if (!res.locals.isCountedStream && !isOver(res)) throw new Error('A stream has come past its limit.');
}

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: string } } | undefined
>;

/** Whether a request names a procedure that answers with a stream; the path is read as tRPC does. */
function asksForStream({ path }: Request): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return procedures[decodeURIComponent(name)]?._def?.type === 'subscription';
  } catch {
    return false;
  }
}

const SUBJECTS = {
  key: 'with this API key',
  address: 'from this address',
  tenant: 'for this tenant',
  server: 'on this server',
};

function refuse(res: Response, { of, limit }: FullStreams): never {
  res.set('Retry-After', String(RETRY_AFTER_SECONDS));
  throw tooManyRequests(
    `Too many streams are open ${SUBJECTS[of]}: at most ${limit} at a time. Close one, or try again in ${RETRY_AFTER_SECONDS} seconds.`,
  );
}
