import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { TokenIssuer } from '../../src/auth/tokens/token-issuer.js';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

interface SigningKey {
  privateKey: CryptoKey;
  jwk: JWK;
}

/** An issuer of tokens on the loopback address that does whatever a test wants. */
export async function startTokenIssuer() {
  const keys = new Map<string, SigningKey>();
  const requests: string[] = [];
  let handler: Handler | undefined;
  const server = createServer((req, res) => {
    requests.push(req.url ?? '');
    (handler ?? serve)(req, res);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await addKey('first');

  return {
    url,
    keys,
    /** The paths that were asked for. */
    requests,
    addKey,
    /** Its entry in AUTH_ISSUERS, as the configuration has it. */
    config: (fields: Partial<TokenIssuer> = {}): TokenIssuer => ({ ...DEFAULTS, issuer: url, ...fields }),
    /** Answers every request this way; as an issuer does where undefined. */
    answerWith(next?: Handler) {
      handler = next;
    },
    serve,
    sign(claims: JWTPayload, { kid = 'first', header = {} }: { kid?: string; header?: object } = {}) {
      const key = keys.get(kid);
      if (!key) throw new Error(`No key ${kid}.`);
      return new SignJWT({ iss: url, aud: 'lectern', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .sign(key.privateKey);
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };

  async function addKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const key = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    keys.set(kid, key);
    return key;
  }

  function serve(req: IncomingMessage, res: ServerResponse): void {
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys: [...keys.values()].map(({ jwk }) => jwk) },
    };
    const document = documents[req.url ?? ''];
    res.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    res.end(JSON.stringify(document ?? {}));
  }
}

const DEFAULTS = {
  audience: ['lectern'],
  tenants: ['acme'],
  tenantClaim: 'tenant_id',
  permissionsClaim: 'scope',
  rolesClaim: 'roles',
  roles: {},
  userIdClaim: 'sub',
  nameClaim: 'name',
  emailClaim: 'email',
  newMembers: 'permitted',
  algorithms: ['RS256', 'ES256'],
  clockSkewSeconds: 30,
  mcpScopes: [],
} as const;
