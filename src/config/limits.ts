import { limitsRequiringKeys, type RateLimitConfig, resolveRateLimits } from '../rate-limit/config.js';
import type { StreamLimits } from '../rate-limit/stream-limit.js';
import { ConfigError } from './config-error.js';
import type { Environment } from './environment.js';
import { STREAMS_PER_TENANT } from './variables/limits.js';

type AuthMode = Environment['AUTH_MODE'];

const LIMIT_VARIABLES = {
  keyRequests: 'RATE_LIMIT_KEY_REQUESTS',
  tenantRequests: 'RATE_LIMIT_TENANT_REQUESTS',
  keySuggestions: 'RATE_LIMIT_KEY_SUGGESTIONS',
  tenantSuggestions: 'RATE_LIMIT_TENANT_SUGGESTIONS',
  keyUploadBytes: 'RATE_LIMIT_KEY_UPLOAD_BYTES',
  tenantUploadBytes: 'RATE_LIMIT_TENANT_UPLOAD_BYTES',
  failedKeys: 'RATE_LIMIT_FAILED_KEYS',
} as const;

/** @throws ConfigError if a limit needs API keys, and callers need none */
export function readRateLimits(
  variables: Environment,
  authMode: AuthMode,
): RateLimitConfig & { store: Environment['RATE_LIMIT_STORE'] } {
  const names = Object.keys(LIMIT_VARIABLES) as (keyof typeof LIMIT_VARIABLES)[];
  const overrides = Object.fromEntries(names.map((name) => [name, variables[LIMIT_VARIABLES[name]]]));
  const [unmet] = authMode === 'open' ? limitsRequiringKeys(overrides) : [];
  if (unmet) throw needsKeys(LIMIT_VARIABLES[unmet]);
  return {
    store: variables.RATE_LIMIT_STORE,
    ...resolveRateLimits(overrides, { withKeys: authMode !== 'open' }),
  };
}

/** @throws ConfigError if a limit needs API keys, and callers need none */
export function readStreamLimits(
  { MAX_STREAMS, MAX_STREAMS_PER_KEY, MAX_STREAMS_PER_TENANT }: Environment,
  authMode: AuthMode,
): StreamLimits {
  if (authMode === 'open' && MAX_STREAMS_PER_TENANT !== undefined) throw needsKeys('MAX_STREAMS_PER_TENANT');
  return {
    total: MAX_STREAMS,
    perKey: MAX_STREAMS_PER_KEY,
    perTenant: MAX_STREAMS_PER_TENANT ?? STREAMS_PER_TENANT,
  };
}

/** Connections of one address; proxies on this machine have as many as there are, unless somebody says otherwise. */
export const readConnectionLimits = ({ MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS }: Environment) => ({
  total: MAX_CONNECTIONS,
  perAddress: MAX_CONNECTIONS_PER_ADDRESS ?? Math.ceil(MAX_CONNECTIONS / 2),
  exemptsLoopback: MAX_CONNECTIONS_PER_ADDRESS === undefined,
});

const needsKeys = (variable: string) =>
  new ConfigError(
    `${variable} needs AUTH_MODE=required: without keys nobody knows whom a request is of. Set that, or leave the limit out.`,
  );
