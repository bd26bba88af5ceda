import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Interaction } from 'oidc-provider';

const INTERACTIONS = '/interaction/';

interface ProviderOptions {
  /** Any free one, unless it is given. */
  port?: number;
  /** Of oidc-provider, beside a key and where users interact. */
  configure: (url: string) => object;
  /** Answers the browser of a user who signs in or consents. */
  interact: (provider: Provider, req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

/** Starts a real OpenID Connect provider on the loopback address, which keeps everything in memory. */
export async function startProvider({ port = 0, configure, interact }: ProviderOptions) {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(url, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${INTERACTIONS}${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ...configure(url),
  });
  const handle = provider.callback();
  server.on('request', (req, res) => {
    if (!req.url?.startsWith(INTERACTIONS)) handle(req, res);
    // Somebody who comes back to a page of an interaction that is over.
    else interact(provider, req, res).catch((error) => res.writeHead(400).end(String(error)));
  });
  return { url, close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()) };
}

/** Gives the client all that it asks for. @returns what ends the interaction */
export async function consent(
  provider: Provider,
  { params, session }: Pick<Interaction, 'params' | 'session'>,
): Promise<object> {
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
  const scope = String(params.scope);
  grant.addOIDCScope(scope);
  for (const resource of [params.resource ?? []].flat()) grant.addResourceScope(String(resource), scope);
  return { consent: { grantId: await grant.save() } };
}
