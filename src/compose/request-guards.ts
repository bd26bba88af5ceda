import type { Logger } from 'pino';
import type { Prune } from '../../db/prune.js';
import type { Database } from '../../db/schema.js';
import { createAuthenticate } from '../auth/authenticate.js';
import { createAuthenticateSession } from '../auth/authenticate-session.js';
import { createAuthenticateToken } from '../auth/tokens/authenticate-token.js';
import { createMcpResource } from '../auth/tokens/mcp-resource.js';
import { createAuthenticateUserSession } from '../auth/user-sessions/authenticate-user-session.js';
import { isUserSession } from '../auth/user-sessions/user-session-token.js';
import type { Config } from '../config/config.js';
import { requireAllowedHost } from '../http/middleware/allowed-hosts.js';
import { allowAnonymous, type Guard, requireCredential } from '../http/middleware/auth.js';
import { limitFailedAuth } from '../http/middleware/failed-auth-limit.js';
import { refuseForeignPages } from '../http/middleware/foreign-pages.js';
import { rateLimitGuard } from '../http/middleware/rate-limit.js';
import { streamLimitGuard } from '../http/middleware/stream-limit.js';
import { createReadLimits, type ReadLimits } from '../http/request/read-limits.js';
import { createFailedAuthLimit } from '../rate-limit/failed-auth-limit.js';
import { createMemoryBucketStore } from '../rate-limit/memory-store.js';
import { createPostgresBucketStore } from '../rate-limit/postgres-store.js';
import { createRateLimiter } from '../rate-limit/rate-limiter.js';
import { createStreamCounter } from '../rate-limit/stream-limit.js';
import type { Identity } from './identity.js';

interface GuardsDependencies {
  db: Database;
  /** For what requests do not wait for. */
  backgroundDb: Database;
  /** Whom issuers vouch for. */
  identity: Identity;
  clock: () => Date;
  log: Logger;
}

export interface Guards {
  /** Which hosts requests may be for: before everything but health. */
  hosts: Guard[];
  steps: Guard[];
  /** What the limits of a caller leave. */
  readLimits: ReadLimits;
  /** Deletes the state of rate limits that nobody uses any more. */
  sweep(): Prune;
  /** Returns what is leased of rate limits. */
  stop(): Promise<void>;
}

/** The guards of every request: authentication, rate limits and stream limits. */
export function createGuards(
  config: Config,
  { db, backgroundDb, identity, clock, log }: GuardsDependencies,
): Guards {
  const checks = {
    db,
    backgroundDb,
    clock,
    onError: (error: unknown) => log.warn({ err: error }, 'could not update the last use of a credential'),
  };
  const { issuers, admitUser, signIn } = identity;
  const ofKey = createAuthenticateSession(checks);
  const ofUser = createAuthenticateUserSession({ ...checks, signIn, admitUser, log });
  const authenticate = {
    key: createAuthenticate(checks),
    session: (text: string) => (isUserSession(text) ? ofUser(text) : ofKey(text)),
    token: createAuthenticateToken({
      issuers,
      mcpResource: createMcpResource(config.publicUrl, config.authIssuers),
      admitUser,
      clock,
      log,
    }),
  };
  const credentialGuard = requireCredential(({ kind, text, use }) => authenticate[kind](text, use));
  const { failedKeys, ...limits } = config.rateLimits;
  const buckets =
    limits.store === 'memory'
      ? createMemoryBucketStore()
      : createPostgresBucketStore(db, {
          backgroundDb,
          onError: (error) => log.warn({ err: error }, 'could not return unused tokens of rate limits'),
        });
  const authGuard = failedKeys
    ? limitFailedAuth(
        {
          key: createFailedAuthLimit(failedKeys),
          token: createFailedAuthLimit(failedKeys),
          session: createFailedAuthLimit(failedKeys),
        },
        credentialGuard,
      )
    : credentialGuard;
  const limiter = createRateLimiter({ store: buckets, limits });
  const limitRequests = rateLimitGuard({
    limiter,
    maxUploadBytes: config.maxUploadBytes,
    onError: (error) => log.warn({ err: error }, 'could not count the bytes of a request body'),
  });
  const streams = createStreamCounter(config.streamLimits);
  const limitStreams = streamLimitGuard(streams);
  const { store: _, ...configured } = limits;
  const hasLimits = Object.values(configured).some((limit) => limit !== undefined);
  const checksHosts = config.authMode === 'open' || config.allowedHosts.length > 0;
  return {
    hosts: checksHosts ? [requireAllowedHost(config.allowedHosts)] : [],
    steps: [
      ...(config.authMode === 'open'
        ? [refuseForeignPages(config.corsOrigins), allowAnonymous]
        : [authGuard]),
      ...(hasLimits ? [limitRequests] : []),
      limitStreams,
    ],
    readLimits: createReadLimits({ limiter, streams }),
    sweep: () => buckets.sweep(),
    stop: () => buckets.stop(),
  };
}
