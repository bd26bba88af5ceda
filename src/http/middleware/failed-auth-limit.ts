import { DomainError } from '../../errors.js';
import type { FailedAuthLimit } from '../../rate-limit/failed-auth-limit.js';
import { clientNetworkOf } from '../request/client-network.js';
import { apiKeyOf, type Guard } from './auth.js';
import { rejectRateLimited, setRateLimitHeaders } from './rate-limit-headers.js';

/** Guard: requires an API key, and rejects addresses with too many failed authentications. */
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
