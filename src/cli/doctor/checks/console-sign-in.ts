import { type SignInProvider, signInProviders } from '../../../auth/sign-in/providers.js';
import { discoveryUrl, hostOf } from '../../../auth/tokens/load-keys.js';
import { isLoopback } from '../../../config/config.js';
import { fetchJson } from '../../../outbound-http/fetch-json.js';
import { type Check, type Finding, ok, problem, warning } from '../check.js';

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint'];

/** Whether people can sign in to the console by each provider that has a client, and what to register there. */
export const checkConsoleSignIn: Check = {
  name: 'console sign-in',
  async run({ config: { authIssuers, publicUrl, fetchAllowHosts } }) {
    const providers = signInProviders(authIssuers, publicUrl);
    if (providers.length === 0) return ok('No provider has a clientId: people sign in with API keys alone.');
    const found = await Promise.all(providers.map((provider) => checkProvider(provider, fetchAllowHosts)));
    return [...checkAddress(publicUrl ?? ''), ...found];
  },
};

function checkAddress(publicUrl: string): Finding[] {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return [
    warning(
      `PUBLIC_URL is ${publicUrl}, so codes and session cookies of people who sign in are not encrypted.`,
      'Put a proxy with TLS in front, and set PUBLIC_URL to its https:// address. Most providers refuse others.',
    ),
  ];
}

async function checkProvider(
  { name, issuer, redirectUri, postLogoutUri }: SignInProvider,
  allowHosts: string[],
): Promise<Finding> {
  const hosts = [...allowHosts, hostOf(issuer.issuer)];
  try {
    const { value } = await fetchJson(discoveryUrl(issuer.issuer), hosts);
    const document = (value ?? {}) as Record<string, unknown>;
    const missing = ENDPOINTS.find((one) => typeof document[one] !== 'string');
    if (missing !== undefined)
      return problem(
        `The discovery document of ${issuer.issuer} has no ${missing}, so nobody can sign in by it.`,
        'Compare issuer in AUTH_ISSUERS with the provider.',
      );
  } catch (error) {
    return problem(
      `The discovery document of ${issuer.issuer} cannot be loaded, so nobody can sign in by it: ${(error as Error).message}`,
      'Compare issuer in AUTH_ISSUERS with the provider.',
    );
  }
  return ok(
    `People sign in with ${name}. Its client must have the redirect URI ${redirectUri} and the post-logout redirect URI ${postLogoutUri}.`,
  );
}
