import type { Request, Response } from 'express';
import { tooManyRequests } from '../../errors/errors.js';
import type { ExceededStreamLimit, StreamCounter } from '../../rate-limit/stream-limit.js';
import { appRouter } from '../../routers/index.js';
import { onFinished } from '../request/on-finished.js';
import type { Guard } from './auth.js';
import { rateLimitedClientOf } from './client-identity.js';

/** It is unknown when other streams end. */
const RETRY_AFTER_SECONDS = 5;

/** Guard: limits concurrent streams. tRPC itself would open a stream to report the error. */
export const streamLimitGuard =
  (streams: StreamCounter): Guard =>
  (req, res) => {
    if (!isSubscription(req)) return;
    const caller = rateLimitedClientOf(req, res);
    const full = streams.acquire(caller);
    if (full) refuse(res, full);
    res.locals.isCountedStream = true;
    onFinished(res, () => streams.release(caller));
  };

/** @throws Error if a stream bypassed the limit */
export function assertStreamCounted(res: Response): void {
  if (!res.locals.isCountedStream) throw new Error('A stream was not counted.');
}

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: string } } | undefined
>;

/** Whether the request is a tRPC subscription; the path is parsed as tRPC does. */
function isSubscription({ path }: Request): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return procedures[decodeURIComponent(name)]?._def?.type === 'subscription';
  } catch {
    return false;
  }
}

const SUBJECTS = {
  key: 'with this API key',
  user: 'of this user',
  address: 'from this address',
  tenant: 'for this tenant',
  server: 'on this server',
};

function refuse(res: Response, { subject, limit }: ExceededStreamLimit): never {
  res.set('Retry-After', String(RETRY_AFTER_SECONDS));
  throw tooManyRequests(
    `Too many streams are open ${SUBJECTS[subject]}: at most ${limit} at a time. Close one, or try again in ${RETRY_AFTER_SECONDS} seconds.`,
  );
}
