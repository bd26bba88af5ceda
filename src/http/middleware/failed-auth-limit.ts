import { DomainError } from '../../errors.js';
import type { FailedAuthLimit } from '../../rate-limit/failed-auth-limit.js';
import { clientNetworkOf } from '../request/client-network.js';
import { apiKeyOf, type Guard } from './auth.js';
import { rejectRateLimited, setRateLimitHeaders } from './rate-limit-headers.js';

/** The step that asks for a key, for callers only who have not failed it too often of late, or have one. */
export const limitFailedAuth =
  (guesses: FailedAuthLimit, requireKey: Guard): Guard =>
  async (req, res) => {
    const address = clientNetworkOf(req);
    const refusal = await guesses.exceededLimit(address, apiKeyOf(req));
    if (refusal) {
      setRateLimitHeaders(res, [refusal]);
      rejectRateLimited(res, refusal);
    }
    try {
      await requireKey(req, res);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthorized') guesses.countFailure(address);
      throw error;
    }
  };
