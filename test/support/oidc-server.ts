import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

const CLIENT = { client_id: 'agent', client_secret: 'a-secret-of-tests-alone' };
export const RESOURCE = 'https://lectern.example';

/** A real OpenID Connect provider on the loopback address, whose clients get JSON Web Tokens by their secret. */
export async function startOidcProvider(claims: object) {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(url, {
    clients: [{ ...CLIENT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    scopes: ['search', 'conversations:read'],
    ttl: { ClientCredentials: 300 },
    extraTokenClaims: () => claims,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'search conversations:read',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
        }),
      },
    },
  });
  server.on('request', provider.callback());
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
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
