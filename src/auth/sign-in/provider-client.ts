import type { Configuration, CustomFetch } from 'openid-client';
import { hostOf } from '../tokens/load-keys.js';
import type { AttemptParameters } from './attempt.js';
import { importOpenIdClient } from './import-openid-client.js';
import type { SignInProvider } from './providers.js';
import { type FetchFailureTest, toSignInFailure } from './to-sign-in-failure.js';

/** Sends a request without redirects, with limits; throws for whatever means that there is no answer. */
export type FetchResponse = (
  url: string,
  request: {
    method: string;
    headers: Record<string, string>;
    body?: string | undefined;
    signal?: AbortSignal | undefined;
  },
  hosts: string[],
) => Promise<Response>;

/** What a provider gives to whoever has signed in. */
export interface ProviderTokens {
  idToken: string | undefined;
  refreshToken: string | undefined;
}

export interface ProviderClientDependencies {
  fetchResponse: FetchResponse;
  /** Whether an error of it means that there was no answer. */
  isFetchFailure: FetchFailureTest;
  clock: () => Date;
}

export type ProviderClient = ReturnType<typeof createProviderClient>;

/** Its endpoints are looked up again after this time. */
const FRESH_MS = 10 * 60_000;
/** Between two attempts while they are not known. */
const RETRY_MS = 5_000;
const TIMEOUT_SECONDS = 10;
const DEFAULT_SCOPES = ['openid', 'profile', 'email'];
/** Most providers give a refresh token only to those who ask for it; some refuse a scope that they do not know. */
const OFFLINE_ACCESS = 'offline_access';

/** The requests of a sign-in to one provider, whose endpoints are those of its discovery document. */
export function createProviderClient(
  { issuer, client, redirectUri, postLogoutUri }: SignInProvider,
  { fetchResponse, isFetchFailure, clock }: ProviderClientDependencies,
) {
  let known: Configuration | undefined;
  let loadedMs = 0;
  let attemptMs = Number.NEGATIVE_INFINITY;
  let lastError: unknown;
  let loading: Promise<Configuration> | undefined;
  const hosts = [hostOf(issuer.issuer)];
  const customFetch: CustomFetch = (url, { method, headers, body, signal }) =>
    fetchResponse(url, { method, headers, body: textOf(body), signal }, hosts);
  return { authorizationUrl, exchange, refresh, endSessionUrl };

  /** Where a person is sent to sign in. */
  async function authorizationUrl({ state, nonce, codeVerifier }: AttemptParameters): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await importOpenIdClient();
    const configuration = await current();
    const offers = configuration.serverMetadata().scopes_supported?.includes(OFFLINE_ACCESS) ?? false;
    const scopes = client.scopes ?? [...DEFAULT_SCOPES, ...(offers ? [OFFLINE_ACCESS] : [])];
    return explained(async () =>
      buildAuthorizationUrl(configuration, {
        ...client.parameters,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }),
    );
  }

  /**
   * Exchanges the code of a callback for tokens; nonce, issuer, audience and expiry of the ID token are checked, and its signature not.
   *
   * @throws SignInFailure
   */
  async function exchange(
    query: URLSearchParams,
    { state, nonce, codeVerifier }: AttemptParameters,
  ): Promise<ProviderTokens> {
    const { authorizationCodeGrant } = await importOpenIdClient();
    const configuration = await current();
    const url = new URL(redirectUri);
    url.search = query.toString();
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    };
    const tokens = await explained(() => authorizationCodeGrant(configuration, url, checks));
    return { idToken: tokens.id_token, refreshToken: tokens.refresh_token };
  }

  /** @throws SignInFailure */
  async function refresh(refreshToken: string): Promise<ProviderTokens> {
    const { refreshTokenGrant } = await importOpenIdClient();
    const configuration = await current();
    const tokens = await explained(() => refreshTokenGrant(configuration, refreshToken));
    return { idToken: tokens.id_token, refreshToken: tokens.refresh_token ?? refreshToken };
  }

  /** Where a person is sent to sign out at the provider; undefined where it offers none, or cannot be asked. */
  async function endSessionUrl(idToken: string): Promise<string | undefined> {
    try {
      const { buildEndSessionUrl } = await importOpenIdClient();
      const configuration = await current();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: postLogoutUri };
      return buildEndSessionUrl(configuration, parameters).href;
    } catch {
      return undefined;
    }
  }

  /** Old endpoints serve until new ones are known. */
  async function current(): Promise<Configuration> {
    const nowMs = clock().getTime();
    if (known && Math.abs(nowMs - loadedMs) < FRESH_MS) return known;
    if (!loading && Math.abs(nowMs - attemptMs) >= RETRY_MS) {
      attemptMs = nowMs;
      loading = load().finally(() => {
        loading = undefined;
      });
      // Nobody may be waiting for it.
      loading.catch(() => {});
    }
    if (known) return known;
    if (loading) return loading;
    throw lastError;
  }

  async function load(): Promise<Configuration> {
    const openId = await importOpenIdClient();
    const { clientId, clientSecret, clientAuthentication } = client;
    const isPlain = issuer.issuer.startsWith('http:');
    const authenticate = {
      client_secret_basic: openId.ClientSecretBasic,
      client_secret_post: openId.ClientSecretPost,
    }[clientAuthentication];
    try {
      known = await explained(() =>
        openId.discovery(
          new URL(issuer.issuer),
          clientId,
          { [openId.clockTolerance]: issuer.clockSkewSeconds },
          clientSecret === undefined ? openId.None() : authenticate(clientSecret),
          {
            [openId.customFetch]: customFetch,
            timeout: TIMEOUT_SECONDS,
            execute: isPlain ? [openId.allowInsecureRequests] : [],
          },
        ),
      );
      loadedMs = clock().getTime();
      return known;
    } catch (error) {
      lastError = error;
      throw error;
    }
  }

  async function explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toSignInFailure(error, isFetchFailure);
    }
  }
}

const textOf = (body: unknown): string | undefined =>
  body === undefined || body === null ? undefined : String(body);
