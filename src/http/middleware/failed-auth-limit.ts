import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import { DomainError } from '../../errors/errors.js';
import type { FailedAuthLimit } from '../../rate-limit/failed-auth-limit.js';
import { clientNetworkOf } from '../request/client-network.js';
import type { Guard } from './auth.js';
import { type Credential, credentialOf } from './credential.js';
import { rejectRateLimited, setRateLimitHeaders } from './rate-limit-headers.js';

/** Of the addresses over their limit, how many credentials are looked up at a time: each takes a connection. */
const CONCURRENT_LOOKUPS = 4;

/**
 * Guard: requires a credential, and answers 429 instead of 401 to addresses with too many failed authentications.
 * Valid keys and tokens are never rejected: clients that share an address (NAT, proxy) must not lock each other out. To find
 * them every key is looked up, but those of such addresses only a few at a time, so that a flood of invalid keys
 * leaves the database to others.
 *
 * Tokens are counted apart, as they expire while somebody uses them. So are sessions, which are always answered 401:
 * nobody guesses one, and a page whose session has ended must learn that, and must not use up the limit of the keys.
 */
export function limitFailedAuth(failed: Record<Credential['kind'], FailedAuthLimit>, guard: Guard): Guard {
  const lookups = createConcurrencyLimit({ perKey: CONCURRENT_LOOKUPS });

  return async (req, res) => {
    const address = clientNetworkOf(req);
    const { kind = 'key' } = credentialOf(req) ?? {};
    const isSession = kind === 'session';
    const failures = failed[kind];
    const exceeded = failures.exceededLimit(address);
    const lookUp = async () => guard(req, res);
    try {
      await (exceeded ? lookups.run(kind, lookUp) : lookUp());
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unauthorized') throw error;
      if (exceeded && !isSession) {
        setRateLimitHeaders(res, [exceeded]);
        rejectRateLimited(res, exceeded);
      }
      failures.countFailure(address);
      throw error;
    }
  };
}
