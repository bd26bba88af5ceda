import type { JWK } from 'jose';
import { readKeys } from './read-keys.js';
import type { TokenIssuer } from './token-issuer.js';

/** A JSON document of a server, and what time it is there. */
export interface FetchedJson {
  value: unknown;
  serverTime: Date | undefined;
}

/**
 * Fetches a JSON document, without redirects.
 *
 * @param hosts `host:port` that may have private addresses
 */
export type FetchJson = (url: string, hosts: string[]) => Promise<FetchedJson>;

export interface LoadedKeys {
  keys: JWK[];
  /** Where they are from. */
  uri: string;
  serverTime: Date | undefined;
}

const DISCOVERY_PATH = '/.well-known/openid-configuration';
const MAX_URI_LENGTH = 2_048;

/**
 * The keys of an issuer, from its key set, which its discovery document names unless the configuration does. Hosts in the
 * configuration may have private addresses.
 *
 * @throws Error in one sentence
 */
export async function loadKeys(
  { issuer, jwksUri }: Pick<TokenIssuer, 'issuer' | 'jwksUri'>,
  fetchJson: FetchJson,
): Promise<LoadedKeys> {
  const hosts = [issuer, jwksUri].flatMap((url) => (url === undefined ? [] : hostOf(url)));
  const uri = jwksUri ?? readKeysUri(issuer, (await fetchJson(discoveryUrl(issuer), hosts)).value);
  const { value, serverTime } = await fetchJson(uri, hosts);
  return { keys: readKeys(value), uri, serverTime };
}

/** The discovery document of an issuer. */
export const discoveryUrl = (issuer: string): string => issuer.replace(/\/$/, '') + DISCOVERY_PATH;

function readKeysUri(issuer: string, document: unknown): string {
  const { issuer: named, jwks_uri: uri } = (document ?? {}) as Record<string, unknown>;
  if (named !== issuer) throw new Error('The discovery document is of another issuer.');
  if (typeof uri !== 'string' || uri.length > MAX_URI_LENGTH || !URL.canParse(uri))
    throw new Error('The discovery document has no valid jwks_uri.');
  const { protocol, host } = new URL(uri);
  const isPlainLikeIssuer =
    protocol === 'http:' && issuer.startsWith('http:') && host === new URL(issuer).host;
  if (protocol !== 'https:' && !isPlainLikeIssuer)
    throw new Error('The jwks_uri of the discovery document must begin with https://.');
  return uri;
}

/** As `host:port`, for lists of hosts. */
export function hostOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
