import type { Request } from 'express';
import type { RateLimiter, RequestCost } from '../../rate-limit/rate-limiter.js';
import {
  countBodyBytes,
  countInSteps,
  declaredBytes,
  isCompressed,
  isUpload,
  MIN_COUNTED_BYTES,
} from '../request/body-size.js';
import { trpcBatchSize } from '../request/trpc-batch-size.js';
import type { Guard } from './auth.js';
import { rateLimitedClientOf } from './client-identity.js';
import { rejectRateLimited, setRateLimitHeaders } from './rate-limit-headers.js';

export interface RateLimitOptions {
  limiter: RateLimiter;
  maxUploadBytes: number;
  /** Called when received bytes could not be counted. */
  onError: (error: unknown) => void;
}

/** Guard: rate limits of requests and body bytes. Runs after authentication. */
export const rateLimitGuard =
  ({ limiter, maxUploadBytes, onError }: RateLimitOptions): Guard =>
  async (req, res) => {
    const caller = rateLimitedClientOf(req, res);
    const { states, exceeded } = await limiter.consume(caller, costOf(req, maxUploadBytes));
    setRateLimitHeaders(res, states);
    if (exceeded) rejectRateLimited(res, exceeded);
    const charge = (bytes: number) => void limiter.consumeBodyBytes(caller, bytes).catch(onError);
    const isUndeclared = declaredBytes(req) === undefined;
    if (isUpload(req)) {
      if (isUndeclared) countBodyBytes(req, charge);
    } else if (isUndeclared || isCompressed(req)) {
      // Whoever reads JSON adds what is unpacked.
      const { add, reportAll } = countInSteps(charge);
      res.locals.countBody = add;
      res.once('close', reportAll);
    }
  };

function costOf(req: Request, maxUploadBytes: number): RequestCost {
  const calls = trpcBatchSize(req) ?? 1;
  const suggestions = countSuggestions(req, calls);
  const requests = calls - suggestions;
  const bytes = declaredBytes(req);
  if (bytes === undefined || isCompressed(req)) return { requests, suggestions, bodyBytes: 0 };
  if (bytes < MIN_COUNTED_BYTES) return { requests, suggestions };
  // A file with a too large Content-Length is rejected unread.
  return { requests, suggestions, bodyBytes: isUpload(req) ? Math.min(bytes, maxUploadBytes) : bytes };
}

const SUGGEST = 'chunks.suggest';

/** Those that are plainly named: any other way of writing them costs what other requests do. */
function countSuggestions({ path }: Request, calls: number): number {
  const [, names = ''] = /^\/trpc\/([^/]+)$/.exec(path) ?? [];
  if (calls === 1) return names === SUGGEST ? 1 : 0;
  return names.split(/,|%2c/i).filter((name) => name === SUGGEST).length;
}
