import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { consent, startProvider } from '../../demo/oidc/start-provider.js';

const CLIENT = { client_id: 'agent', client_secret: 'a-secret-of-tests-alone' };
export const RESOURCE = 'https://lectern.example';
/** Where a user is sent back to; nothing listens there. */
export const CALLBACK = 'http://127.0.0.1:9/callback';
const SCOPES = 'search conversations:read';

/** A client without a secret, as one that runs on a user's machine. */
const publicClient = (id: string) => ({
  client_id: id,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  application_type: 'native',
  redirect_uris: [CALLBACK],
});
/** Registered with the provider. */
export const REGISTERED_CLIENT = 'registered';
/** Not registered: its id is the address of its metadata. */
export const DOCUMENTED_CLIENT = 'https://client.test/metadata.json';

/**
 * A real OpenID Connect provider on the loopback address: clients get JSON Web Tokens by their secret, and users, who are
 * signed in without a question, by an authorization code.
 */
export async function startOidcProvider(claims: object) {
  const { url, ...provider } = await startProvider({
    configure: () => ({
      clients: [
        { ...CLIENT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
        publicClient(REGISTERED_CLIENT),
      ],
      scopes: SCOPES.split(' '),
      ttl: { AccessToken: 300, ClientCredentials: 300, Grant: 300, Interaction: 300, Session: 300 },
      extraTokenClaims: () => claims,
      // What clients serve under names that nobody has.
      fetch: async (address: string | URL) =>
        `${address}` === DOCUMENTED_CLIENT
          ? Response.json(publicClient(DOCUMENTED_CLIENT))
          : new Response(null, { status: 404 }),
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({ scope: SCOPES, accessTokenFormat: 'jwt', accessTokenTTL: 300 }),
        },
      },
    }),
    interact,
  });
  return {
    url,
    /** A token of the grant for clients. */
    async issueToken(scope: string): Promise<string> {
      const answer = await fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: RESOURCE, scope }),
        headers: {
          authorization: `Basic ${Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64')}`,
        },
      });
      const { access_token: token, ...rest } = (await answer.json()) as Record<string, string>;
      if (token === undefined) throw new Error(`No token: ${JSON.stringify(rest)}`);
      return token;
    },
    ...provider,
  };
}

/** Signs the user `ann` in, and gives the client what it asks for. */
async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const interaction = await provider.interactionDetails(req, res);
  const isLogin = interaction.prompt.name === 'login';
  const result = isLogin ? { login: { accountId: 'ann' } } : await consent(provider, interaction);
  return provider.interactionFinished(req, res, result);
}

/**
 * Goes where a browser would go from the provider's page, with its cookies.
 *
 * @param user whom to choose where the provider asks
 * @returns where the client is called back
 */
export async function authorize(start: URL, callback = CALLBACK, user = ''): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = start;
  let choice: URLSearchParams | undefined;
  for (let steps = 0; steps < 10; steps++) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const answer = await fetch(at, {
      headers,
      redirect: 'manual',
      ...(choice && { method: 'POST', body: choice }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const text = await answer.text();
    const next = answer.headers.get('location');
    if (next === null && (choice || !text.includes(`value="${user}"`)))
      throw new Error(`${answer.status} at ${at.pathname}: ${text}`);
    choice = next === null ? new URLSearchParams({ user }) : undefined;
    at = new URL(next ?? at, at);
    if (at.href.startsWith(callback)) return at;
  }
  throw new Error('The provider redirects without end.');
}
