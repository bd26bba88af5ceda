import { randomUUID } from 'node:crypto';
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
  let keys = [await createKey()];
  let provider = create();
  server.on('request', (req, res) => {
    if (!req.url?.startsWith(INTERACTIONS)) provider.callback()(req, res);
    // Somebody who comes back to a page of an interaction that is over.
    else interact(provider, req, res).catch((error) => res.writeHead(400).end(String(error)));
  });
  return {
    url,
    /** Signs with a new key from now on. The others stay in the key set. */
    async rotateKeys() {
      keys = [await createKey(), ...keys];
      provider = create();
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
    /** Listens again. */
    reopen: () =>
      new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve)),
  };

  function create(): Provider {
    return new Provider(url, {
      jwks: { keys },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${INTERACTIONS}${uid}` },
      findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
      ...configure(url),
    });
  }
}

async function createKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: 'RS256' };
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
