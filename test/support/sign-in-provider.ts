import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

const CLIENT_ID = 'console';
const CLIENT_SECRET = 'a-secret-of-tests/alone+';
const LOGIN_PATH = '/interaction/';

/** What the provider says of whoever signs in. */
export interface Claims {
  name: string;
  email: string;
  tenant_id: string | string[];
  roles: string[];
}

/** Of a server that people sign in to. */
export interface SignInTarget {
  publicUrl: string;
  /** Whether the client has a secret. */
  isPublic?: boolean;
}

/**
 * A real OpenID Connect provider on the loopback address, where people sign in on a page, with rotating refresh tokens.
 *
 * @param claims of everybody; may be changed
 */
export async function startSignInProvider({ publicUrl, isPublic = false }: SignInTarget, claims: Claims) {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const redirectUri = `${publicUrl}/sign-in/127.0.0.1-${port}/callback`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        ...(isPublic
          ? { token_endpoint_auth_method: 'none', application_type: 'native' }
          : { client_secret: CLIENT_SECRET }),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [`${publicUrl}/`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    claims: { openid: ['sub', 'tenant_id', 'roles'], profile: ['name'], email: ['email'] },
    conformIdTokenClaims: false,
    rotateRefreshToken: true,
    issueRefreshToken: () => isRefreshing,
    ttl: {
      AccessToken: 300,
      Grant: 3_600,
      IdToken: 43_200,
      Interaction: 300,
      RefreshToken: 3_600,
      Session: 3_600,
    },
    findAccount: (_context: unknown, id: string) =>
      isGone ? undefined : { accountId: id, claims: () => ({ sub: id, ...claims }) },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${LOGIN_PATH}${uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { logoutSource: logoutPage },
    },
  });
  let [isGone, isAway, isRefreshing, delayMs] = [false, false, true, 0];
  const handle = provider.callback();
  let tokenRequests = 0;
  server.on('request', async (req, res) => {
    if (isAway) {
      res.writeHead(503).end();
      return;
    }
    if (req.url === '/token') {
      tokenRequests++;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
    if (req.url?.startsWith(LOGIN_PATH)) void interact(provider, req, res);
    else handle(req, res);
  });
  return {
    url,
    redirectUri,
    /** In `AUTH_ISSUERS`. */
    settings: {
      issuer: url,
      audience: 'lectern',
      clientId: CLIENT_ID,
      ...(!isPublic && { clientSecret: CLIENT_SECRET }),
    },
    /** How often somebody asked for tokens. */
    countTokenRequests: () => tokenRequests,
    /** Has it answer 503 to everything, or answer again. */
    setAway: (away: boolean) => {
      isAway = away;
    },
    /** Has it know nobody any more, or everybody again. */
    setGone: (gone: boolean) => {
      isGone = gone;
    },
    /** Has it give refresh tokens, or none. */
    setRefreshing: (refreshing: boolean) => {
      isRefreshing = refreshing;
    },
    /** Has requests for tokens take longer. */
    setDelay: (ms: number) => {
      delayMs = ms;
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** A page with a button, which signs `ann` in or says no; and consent without a question. */
async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(req, res);
  if (prompt.name === 'consent') {
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
    grant.addOIDCScope(String(params.scope));
    return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
  }
  if (req.method !== 'POST') {
    const fields = ['ann', 'cancel'].map((name) => `<button name="who" value="${name}">${name}</button>`);
    res.setHeader('content-type', 'text/html');
    res.end(
      `<!doctype html><title>Sign in</title><link rel="icon" href="data:,"><form method="post">${fields.join('')}</form>`,
    );
    return;
  }
  let body = '';
  for await (const part of req) body += part;
  const who = new URLSearchParams(body).get('who');
  const result =
    who === 'cancel'
      ? { error: 'access_denied', error_description: 'The user said no.' }
      : { login: { accountId: who ?? '' } };
  return provider.interactionFinished(req, res, result);
}

/** Asks whether somebody wants to sign out. */
async function logoutPage(context: { body: string }, form: string): Promise<void> {
  context.body = `<!doctype html><title>Sign out</title><link rel="icon" href="data:,">${form}<button form="op.logoutForm" name="logout" value="yes">Sign out everywhere</button>`;
}

/** A browser, as far as it follows redirects and keeps cookies; ports of one host share them. */
export function createVisitor() {
  const cookies = new Map<string, string>();
  return { cookies, visit, signIn };

  /** Follows redirects until there is a page, or one leads to where `stop` says. */
  async function visit(
    start: string | URL,
    {
      method = 'GET',
      body,
      stop = () => false,
    }: { method?: string; body?: string; stop?: (url: URL) => boolean } = {},
  ): Promise<{ url: URL; status: number; text: string }> {
    let [at, how] = [new URL(start), { method, body }];
    for (let steps = 0; steps < 20; steps++) {
      if (stop(at)) return { url: at, status: 0, text: '' };
      const answer = await fetch(at, {
        method: how.method,
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(how.body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(how.body !== undefined && { body: how.body }),
      });
      for (const line of answer.headers.getSetCookie()) keep(line);
      const next = answer.headers.get('location');
      if (next === null) return { url: at, status: answer.status, text: await answer.text() };
      await answer.body?.cancel();
      [at, how] = [new URL(next, at), { method: 'GET', body: undefined }];
    }
    throw new Error('Redirects without end.');
  }

  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }

  /** Goes there, and signs in where the provider asks. */
  async function signIn(
    start: string | URL,
    { who = 'ann', stop }: { who?: string; stop?: (url: URL) => boolean } = {},
  ) {
    const page = await visit(start, { ...(stop && { stop }) });
    if (!page.url.pathname.startsWith(LOGIN_PATH)) return page;
    return visit(page.url, { method: 'POST', body: `who=${who}`, ...(stop && { stop }) });
  }
}
