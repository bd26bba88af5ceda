import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { providerIdOf, SIGN_IN_PATH } from '../../src/auth/sign-in/providers.js';
import { chooseUserPage, failurePage, signedOutPage, signOutPage } from './pages.js';
import { consent, startProvider } from './start-provider.js';
import { ROLES, users } from './users.js';

/** Of the console. */
const CONSOLE_CLIENT = 'lectern-console';
/** Of the page in examples/react-oidc, which its development server has at these addresses. */
const EXAMPLE_CLIENT = 'lectern-example';
const AUDIENCE = 'lectern';
const LIFETIME_SECONDS = 300;
const DAY_SECONDS = 86_400;
const MAX_FORM = 1_024;

export interface DemoProviderOptions {
  port: number;
  /** Of the server. */
  publicUrl: string;
  /** Of the page in examples/react-oidc. */
  examplePages: string[];
}

/** The provider of the demonstration, with its users: whoever opens it chooses one of them. */
export async function startDemoProvider({ port, publicUrl, examplePages }: DemoProviderOptions) {
  const { url, close } = await startProvider({
    port,
    configure: (issuer) => ({
      clients: [
        publicClient(CONSOLE_CLIENT, [consoleRedirect(publicUrl, issuer)], [`${publicUrl}/`]),
        publicClient(EXAMPLE_CLIENT, examplePages, examplePages),
      ],
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      claims: { openid: ['sub', 'tenant_id', 'groups'], profile: ['name'], email: ['email'] },
      conformIdTokenClaims: false,
      findAccount: (_context: unknown, id: string) => {
        const claims = claimsOf(id);
        return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
      },
      extraTokenClaims: (_context: unknown, token: { accountId: string }) => claimsOf(token.accountId),
      issueRefreshToken: (_context: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
        client.grantTypeAllowed('refresh_token'),
      clientBasedCORS: (_context: unknown, origin: string, client: { clientId: string }) =>
        client.clientId === EXAMPLE_CLIENT && examplePages.some((one) => new URL(one).origin === origin),
      renderError: (context: { type: string; body: string }, out: { error_description?: string }) => {
        context.type = 'html';
        context.body = failurePage(out.error_description ?? 'The request is not valid.');
      },
      ttl: {
        AccessToken: LIFETIME_SECONDS,
        IdToken: LIFETIME_SECONDS,
        Interaction: LIFETIME_SECONDS,
        Grant: DAY_SECONDS,
        RefreshToken: DAY_SECONDS,
        Session: DAY_SECONDS,
      },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: { body: string }, form: string) => {
            context.body = signOutPage(form);
          },
          postLogoutSuccessSource: (context: { body: string }) => {
            context.body = signedOutPage();
          },
        },
        resourceIndicators: {
          enabled: true,
          // A client that names no resource gets tokens for the server.
          defaultResource: () => publicUrl,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: '',
            audience: AUDIENCE,
            accessTokenFormat: 'jwt',
            accessTokenTTL: LIFETIME_SECONDS,
          }),
        },
      },
    }),
    interact,
  });
  /** For AUTH_ISSUERS. */
  const issuer = {
    issuer: url,
    audience: AUDIENCE,
    tenants: [...new Set(users.map(({ tenantId }) => tenantId))],
    rolesClaim: 'groups',
    roles: ROLES,
    newMembers: 'everybody',
    clientId: CONSOLE_CLIENT,
    displayName: 'demo accounts',
  };
  return { url, issuer, close };
}

/** One without a secret: PKCE protects its codes. */
const publicClient = (id: string, redirectUris: string[], postLogoutUris: string[]) => ({
  client_id: id,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: redirectUris,
  post_logout_redirect_uris: postLogoutUris,
});

/** Where the console takes codes of this provider. */
const consoleRedirect = (publicUrl: string, issuer: string): string =>
  `${publicUrl}${SIGN_IN_PATH}/${providerIdOf({ issuer })}/callback`;

function claimsOf(id: string) {
  const user = users.find((one) => one.id === id);
  return user && { tenant_id: user.tenantId, groups: user.groups, name: user.name, email: user.email };
}

/** Shows whom to sign in as, takes the choice, and lets clients have what they ask for. */
async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const interaction = await provider.interactionDetails(req, res);
  if (interaction.prompt.name === 'consent')
    return provider.interactionFinished(req, res, await consent(provider, interaction));
  const chosen = req.method === 'POST' ? await readChoice(req) : null;
  if (users.some(({ id }) => id === chosen))
    return provider.interactionFinished(req, res, { login: { accountId: chosen } });
  res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  res.end(chooseUserPage(users));
}

async function readChoice(req: IncomingMessage): Promise<string | null> {
  let form = '';
  for await (const part of req.setEncoding('utf8')) {
    form += part;
    if (form.length > MAX_FORM) throw new Error('The form is too long.');
  }
  return new URLSearchParams(form).get('user');
}
