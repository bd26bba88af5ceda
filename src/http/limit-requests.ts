import type { Request } from 'express';
import type { Cost, Limiter } from '../access/limits/limiter.js';
import { callerOf } from './caller.js';
import { announcedBytes, COUNTED_BYTES, countBody, isPacked, isUpload } from './count-body.js';
import { countCalls } from './count-calls.js';
import type { GuardStep } from './guard.js';
import { refuseForNow, tellStandings } from './rate-limit-fields.js';

export interface LimitRequestsOptions {
  limiter: Limiter;
  maxUploadBytes: number;
  /** Told why bytes that have come were not counted. */
  onError: (error: unknown) => void;
}

/** A guard's step: nobody asks or sends more than the limits allow. By then the guard knows the caller's key. */
export const limitRequests =
  ({ limiter, maxUploadBytes, onError }: LimitRequestsOptions): GuardStep =>
  async (req, res) => {
    const caller = callerOf(req, res);
    const { standings, refusal } = await limiter.admit(caller, costOf(req, maxUploadBytes));
    tellStandings(res, standings);
    if (refusal) refuseForNow(res, refusal);
    const charge = (bytes: number) => void limiter.chargeBody(caller, bytes).catch(onError);
    // Only who unpacks a body knows how much is in it.
    if (isPacked(req)) res.locals.countUnpacked = (bytes: number) => bytes >= COUNTED_BYTES && charge(bytes);
    else if (announcedBytes(req) === undefined) countBody(req, charge);
  };

function costOf(req: Request, maxUploadBytes: number): Cost {
  const requests = countCalls(req) ?? 1;
  const bytes = announcedBytes(req);
  if (bytes === undefined || isPacked(req)) return { requests, bodyBytes: 0 };
  if (bytes < COUNTED_BYTES) return { requests };
  // Of a file that is announced to be too large nothing is read.
  return { requests, bodyBytes: isUpload(req) ? Math.min(bytes, maxUploadBytes) : bytes };
}
