import type { Logger } from 'pino';
import { forbidden, invalid, unauthorized } from '../../errors/errors.js';
import type { AdmitUser, UserAccess } from '../members/admit-user.js';
import type { KeyAccess } from '../permissions.js';
import type { KeyFinder } from './key-set.js';
import type { McpResource } from './mcp-resource.js';
import type { TokenGrant } from './read-grant.js';
import { RefusedTokenError } from './refused-token.js';
import { MAX_TOKEN_LENGTH } from './token-form.js';
import { createVerifiedTokens } from './verified-tokens.js';
import { issuerOf, type KnownIssuer, verifyToken } from './verify-token.js';

export interface AuthenticateTokenDependencies {
  /** By their names. */
  issuers: ReadonlyMap<string, KnownIssuer>;
  mcpResource?: McpResource | undefined;
  admitUser: AdmitUser;
  clock: () => Date;
  log: Pick<Logger, 'info'>;
}

/** What a request uses a token for. */
export interface TokenUse {
  /** The tenants that it names before its body is read. */
  header?: string | undefined;
  query?: string | undefined;
  /** Whether it calls the MCP endpoint, which is an audience of its own. */
  isMcp?: boolean;
}

/** Authenticates a token for a request. */
export type AuthenticateToken = (text: string, use?: TokenUse) => Promise<KeyAccess>;

interface Verified {
  known: KnownIssuer;
  grant: TokenGrant;
  /** Whether its audience is the MCP endpoint alone. */
  isForMcp: boolean;
  /** While the issuer has these keys, the token needs not be verified again. */
  keys: KeyFinder;
}

/**
 * Checks the tokens of the configured issuers, and remembers which are valid.
 *
 * @returns a function that throws the same DomainError `unauthorized` for every invalid token; the reason is in the log
 */
export function createAuthenticateToken({
  issuers,
  mcpResource,
  admitUser,
  clock,
  log,
}: AuthenticateTokenDependencies): AuthenticateToken {
  const verified = createVerifiedTokens<Verified>();

  return async (text, use = {}) => {
    try {
      const { grant, isForMcp, known } = await find(text);
      if (isForMcp && !use.isMcp)
        throw new RefusedTokenError('Its aud is the MCP endpoint alone.', known.issuer.issuer);
      return await admitUser(toAccess(grant, use), known.issuer);
    } catch (error) {
      if (!(error instanceof RefusedTokenError)) throw error;
      log.info({ issuer: error.issuer, reason: error.reason }, 'refused a token');
      throw unauthorized();
    }
  };

  async function find(text: string): Promise<Verified> {
    const now = clock();
    const earlier = text.length <= MAX_TOKEN_LENGTH ? verified.find(text) : undefined;
    if (earlier && !isExpired(earlier, now) && earlier.keys === (await earlier.known.keySet.current()))
      return earlier;
    if (earlier) verified.forget(text);
    const known = issuerOf(text, issuers);
    const found = { known, ...(await verifyToken(text, known, { now, mcpResource })) };
    verified.remember(text, found);
    return found;
  }
}

const isExpired = ({ grant, known }: Verified, now: Date): boolean =>
  grant.expiresTime.getTime() + known.issuer.clockSkewSeconds * 1000 <= now.getTime();

function toAccess({ tenantIds, ...grant }: TokenGrant, { header, query }: TokenUse): UserAccess {
  const [only, ...others] = tenantIds;
  // With one tenant, the query is compared where that of requests with keys is.
  const named = header ?? (others.length > 0 ? query : undefined);
  if (named !== undefined && !tenantIds.includes(named))
    throw forbidden('This token belongs to another tenant.', [TENANT_ID]);
  if (named === undefined && others.length > 0)
    throw invalid('This token is for several tenants; name one of them.', [TENANT_ID], 'missing');
  return { ...grant, keyId: undefined, tenantId: named ?? only ?? '' };
}

/** The header by which a request with a token names its tenant. */
export const TENANT_ID = 'X-Tenant-Id';
