import type { SignInClient, TokenIssuer } from '../tokens/token-issuer.js';

/** Where people begin to sign in, and where providers send them back to. */
export const SIGN_IN_PATH = '/sign-in';

/** A provider by which people sign in to the console. */
export interface SignInProvider {
  /** In its addresses. */
  id: string;
  name: string;
  issuer: TokenIssuer;
  client: SignInClient;
  /** Where people begin. */
  startUrl: string;
  /** Where the provider sends them back to; to be registered there. */
  redirectUri: string;
  /** Where it sends them after they have signed out; likewise. */
  postLogoutUri: string;
}

/**
 * An issuer in the path of an address: its host and path. Each has a redirect URI of its own, so that one provider cannot have
 * the codes of another sent to it.
 */
export const providerIdOf = ({ issuer }: Pick<TokenIssuer, 'issuer'>): string => {
  const { host, pathname } = new URL(issuer);
  return `${host}${pathname}`
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, ' ')
    .trim()
    .replaceAll(' ', '-');
};

/** The issuers by which people sign in; none without an address to return to. */
export function signInProviders(
  issuers: readonly TokenIssuer[],
  publicUrl: string | undefined,
): SignInProvider[] {
  if (publicUrl === undefined) return [];
  return issuers.flatMap((issuer) => {
    const client = issuer.signIn;
    if (!client) return [];
    const id = providerIdOf(issuer);
    const startUrl = `${publicUrl}${SIGN_IN_PATH}/${id}`;
    return {
      id,
      name: client.displayName ?? new URL(issuer.issuer).host,
      issuer,
      client,
      startUrl,
      redirectUri: `${startUrl}/callback`,
      postLogoutUri: `${publicUrl}/`,
    };
  });
}
