import type { Logger } from 'pino';
import type { Database } from '../db/schema.js';
import { createAuthenticate } from './access/authenticate.js';
import { createIsGenuine } from './access/genuine-keys.js';
import { createGuessLimit } from './access/limits/guess-limit.js';
import { createLimiter } from './access/limits/limiter.js';
import { createMemoryStore } from './access/limits/memory-buckets.js';
import { createPostgresStore } from './access/limits/postgres-buckets.js';
import { createStreamCount } from './access/limits/stream-limits.js';
import type { Config } from './config.js';
import { admitEverybody, type GuardStep, requireKey } from './http/guard.js';
import { limitGuesses } from './http/limit-guesses.js';
import { limitRequests } from './http/limit-requests.js';
import { limitStreams } from './http/limit-streams.js';

interface GuardDependencies {
  db: Database;
  clock: () => Date;
  log: Logger;
}

/** What a request has to pass before anything else is done for it: who calls, how often, and with how many streams. */
export function createGuardSteps(
  config: Config,
  { db, clock, log }: GuardDependencies,
): { steps: GuardStep[]; sweep(): Promise<void> } {
  const authenticate = createAuthenticate({
    db,
    clock,
    onError: (error) => log.warn({ err: error }, 'could not write down the use of a key'),
  });
  const askForKey = requireKey(authenticate);
  const { failedKeys, ...limits } = config.limits;
  const buckets = limits.store === 'memory' ? createMemoryStore() : createPostgresStore(db);
  const whoMayCall = failedKeys
    ? limitGuesses(
        createGuessLimit({ limit: failedKeys, isGenuine: createIsGenuine({ db, clock }) }),
        askForKey,
      )
    : askForKey;
  const howOften = limitRequests({
    limiter: createLimiter({ store: buckets, limits }),
    maxUploadBytes: config.maxUploadBytes,
    onError: (error) => log.warn({ err: error }, 'could not count what is sent'),
  });
  const howManyStreams = limitStreams(createStreamCount(config.streams));
  return {
    steps: [config.authMode === 'open' ? admitEverybody : whoMayCall, howOften, howManyStreams],
    sweep: () => buckets.sweep(),
  };
}
