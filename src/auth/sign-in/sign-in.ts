import type { Logger } from 'pino';
import { DomainError } from '../../errors/errors.js';
import type { AdmitUser, UserAccess } from '../members/admit-user.js';
import type { TokenUser } from '../permissions.js';
import type { TokenGrant } from '../tokens/read-grant.js';
import { RefusedTokenError } from '../tokens/refused-token.js';
import { isToken, MAX_TOKEN_LENGTH } from '../tokens/token-form.js';
import { type KnownIssuer, verifyToken } from '../tokens/verify-token.js';
import { beginAttempt, type OpenedAttempt, openAttempt } from './attempt.js';
import {
  createProviderClient,
  type ProviderClient,
  type ProviderClientDependencies,
} from './provider-client.js';
import type { SignInProvider } from './providers.js';
import { SignInFailure } from './sign-in-failure.js';

export interface SignInDependencies extends ProviderClientDependencies {
  providers: readonly SignInProvider[];
  /** All issuers, by their names. */
  issuers: ReadonlyMap<string, KnownIssuer>;
  admitUser: AdmitUser;
  /** @returns the id of the member; undefined where the tenant has no room */
  storeMember: (tenantId: string, user: TokenUser, now: Date) => Promise<string | undefined>;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Somebody who has signed in. */
export interface SignedIn {
  /** What the claims permit, without the role of the member. */
  grant: TokenGrant;
  tenantId: string;
  /** Undefined where the tenant has no room for it. */
  memberId: string | undefined;
  idToken: string;
  refreshToken: string | null;
  returnTo: string;
}

/** What a provider says of a user who has signed in before. */
export interface RefreshedGrant {
  /** Undefined where it gave no new ID token. */
  grant: TokenGrant | undefined;
  idToken: string | undefined;
  refreshToken: string | null;
}

interface Known {
  provider: SignInProvider;
  client: ProviderClient;
  /** With the client as the only audience. */
  issuer: KnownIssuer;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Signs people in by the providers that have a client id. */
export function createSignIn({
  providers,
  issuers,
  admitUser,
  storeMember,
  log,
  ...dependencies
}: SignInDependencies) {
  const { clock } = dependencies;
  const known = providers.flatMap((provider): Known[] => {
    const found = issuers.get(provider.issuer.issuer);
    if (!found) return [];
    const audience = [provider.client.clientId];
    const issuer = { ...found.issuer, audience, authorizedParties: undefined };
    const client = createProviderClient(provider, dependencies);
    return [{ provider, client, issuer: { issuer, keySet: found.keySet } }];
  });
  const byId = new Map(known.map((one) => [one.provider.id, one]));
  const byIssuer = new Map(known.map((one) => [one.provider.issuer.issuer, one]));
  return { providers, issuerOf, begin, complete, refresh, endSessionUrl };

  /** The issuer whose users may sign in; undefined where it is not configured any more. */
  function issuerOf(name: string) {
    return byIssuer.get(name)?.provider.issuer;
  }

  /**
   * @param secret of the browser
   * @returns where to send it
   * @throws SignInFailure
   */
  async function begin(
    providerId: string,
    { returnTo, tenantId, secret }: { returnTo: string; tenantId: string | undefined; secret: string },
  ): Promise<URL> {
    const { client } = find(providerId);
    return client.authorizationUrl(beginAttempt({ providerId, returnTo, tenantId }, secret, clock()));
  }

  /**
   * Ends what `begin` began, once the provider has sent the browser back.
   *
   * @throws SignInFailure
   */
  async function complete(
    providerId: string,
    query: URLSearchParams,
    secret: string | undefined,
  ): Promise<SignedIn> {
    const { client, issuer } = find(providerId);
    const attempt = openAttempt(query.get('state') ?? '', secret, clock());
    if (attempt?.providerId !== providerId)
      throw new SignInFailure('expired', 'Its state is none that this browser has begun, or is too old.');
    try {
      return await signedInBy(attempt, query, { client, issuer });
    } catch (error) {
      if (error instanceof SignInFailure) error.returnTo = attempt.returnTo;
      throw error;
    }
  }

  async function signedInBy(
    attempt: OpenedAttempt,
    query: URLSearchParams,
    { client, issuer }: Pick<Known, 'client' | 'issuer'>,
  ): Promise<SignedIn> {
    const { idToken, refreshToken } = await client.exchange(query, attempt);
    if (idToken === undefined) throw new SignInFailure('misconfigured', 'The provider sent no ID token.');
    const grant = await readIdToken(idToken, issuer);
    const tenantId = chooseTenant(grant, attempt.tenantId);
    await admit({ grant, tenantId }, issuer);
    const memberId = await storeMember(tenantId, grant.user, clock());
    const { returnTo } = attempt;
    return { grant, tenantId, memberId, idToken, refreshToken: refreshToken ?? null, returnTo };
  }

  /**
   * Asks the provider again whether it vouches for a user, and for what.
   *
   * @throws SignInFailure: `unavailable` where it does not answer, and others where it does not vouch any more
   */
  async function refresh(issuerName: string, refreshToken: string): Promise<RefreshedGrant> {
    const found = byIssuer.get(issuerName);
    if (!found) throw new SignInFailure('refused', 'Nobody signs in by its issuer any more.');
    const tokens = await found.client.refresh(refreshToken);
    const { idToken } = tokens;
    const grant = idToken === undefined ? undefined : await readIdToken(idToken, found.issuer);
    return { grant, idToken, refreshToken: tokens.refreshToken ?? null };
  }

  /** Where to sign out at the provider; undefined where it offers that not. */
  async function endSessionUrl(issuerName: string, idToken: string): Promise<string | undefined> {
    return byIssuer.get(issuerName)?.client.endSessionUrl(idToken);
  }

  function find(providerId: string): Known {
    const found = byId.get(providerId);
    if (!found) throw new SignInFailure('expired', 'There is no such provider.');
    return found;
  }

  async function readIdToken(text: string, issuer: KnownIssuer): Promise<TokenGrant> {
    try {
      if (text.length > MAX_TOKEN_LENGTH)
        throw new RefusedTokenError(`It is longer than ${MAX_TOKEN_LENGTH} characters.`);
      if (!isToken(text)) throw new RefusedTokenError('It is no JSON Web Token.');
      return (await verifyToken(text, issuer, { now: clock() })).grant;
    } catch (error) {
      throw toFailure(error);
    }
  }

  async function admit(
    { grant, tenantId }: { grant: TokenGrant; tenantId: string },
    { issuer }: KnownIssuer,
  ) {
    const { tenantIds: _, ...claims } = grant;
    const access: UserAccess = { ...claims, keyId: undefined, tenantId };
    try {
      await admitUser(access, issuer);
    } catch (error) {
      throw toFailure(error);
    }
  }

  function toFailure(error: unknown): unknown {
    if (error instanceof RefusedTokenError) {
      log.info({ issuer: error.issuer, reason: error.reason }, 'refused an ID token');
      return new SignInFailure('refused', error.reason);
    }
    const isOutage = error instanceof DomainError && error.code === 'unavailable';
    return isOutage ? new SignInFailure('unavailable', error.message) : error;
  }
}

function chooseTenant({ tenantIds }: TokenGrant, chosen: string | undefined): string {
  const [only, ...others] = tenantIds;
  if (chosen !== undefined && tenantIds.includes(chosen)) return chosen;
  if (only !== undefined && others.length === 0) return only;
  throw new SignInFailure('tenant', 'The user has several tenants, and has chosen none of them.', {
    tenantIds,
  });
}
