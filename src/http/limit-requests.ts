import type { Request, Response } from 'express';
import type { Caller, Cost, Limiter } from '../access/limits/limiter.js';
import { networkOf } from './caller-network.js';
import { announcedBytes, countBody, isUpload } from './count-body.js';
import { accessOf, type GuardStep } from './guard.js';
import { refuseForNow, tellStandings } from './rate-limit-fields.js';

export interface LimitRequestsOptions {
  limiter: Limiter;
  maxUploadBytes: number;
  /** Told why bytes that have come were not counted. */
  onError: (error: unknown) => void;
}

/** A guard's step: nobody asks or uploads more than the limits allow. By then the guard knows the caller's key. */
export const limitRequests =
  ({ limiter, maxUploadBytes, onError }: LimitRequestsOptions): GuardStep =>
  async (req, res) => {
    const caller = callerOf(req, res);
    const { standings, refusal } = await limiter.admit(caller, costOf(req, maxUploadBytes));
    tellStandings(res, standings);
    if (refusal) refuseForNow(res, refusal);
    if (isUpload(req) && announcedBytes(req) === undefined) {
      countBody(req, (bytes) => void limiter.chargeUpload(caller, bytes).catch(onError));
    }
  };

function callerOf(req: Request, res: Response): Caller {
  const access = accessOf(res);
  return access ? { keyId: access.keyId, tenantId: access.tenantId } : { address: networkOf(req) };
}

function costOf(req: Request, maxUploadBytes: number): Cost {
  const requests = countCalls(req);
  if (!isUpload(req)) return { requests };
  // Of a file that is announced to be too large nothing is read.
  return { requests, uploadBytes: Math.min(announcedBytes(req) ?? 0, maxUploadBytes) };
}

/** Calls that come as one request count as what they are. */
const countCalls = ({ path, query }: Request): number =>
  query.batch === '1' ? path.split(/,|%2c/i).length : 1;
