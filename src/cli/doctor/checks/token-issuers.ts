import { type LoadedKeys, loadKeys } from '../../../auth/tokens/load-keys.js';
import type { TokenIssuer } from '../../../auth/tokens/token-issuer.js';
import { fetchJson } from '../../../outbound-http/fetch-json.js';
import { countOf, formatSpan } from '../../shared/format.js';
import { type Check, type Finding, ok, problem, warning } from '../check.js';

/** A Date header has whole seconds. */
const HEADER_STEP_MS = 1_000;

/** Whether each issuer of tokens has keys, and the time that this machine has. */
export const checkTokenIssuers: Check = {
  name: 'token issuers',
  async run({ config: { authIssuers, fetchAllowHosts } }) {
    if (authIssuers.length === 0) return ok('None is configured: callers have API keys alone.');
    return Promise.all(authIssuers.map((issuer) => checkIssuer(issuer, fetchAllowHosts)));
  },
};

async function checkIssuer(issuer: TokenIssuer, allowHosts: string[]): Promise<Finding> {
  const name = issuer.issuer;
  const began = Date.now();
  let loaded: LoadedKeys;
  try {
    loaded = await loadKeys(issuer, (url, hosts) => fetchJson(url, [...allowHosts, ...hosts]));
  } catch (error) {
    return problem(
      `The keys of ${name} cannot be loaded: ${(error as Error).message}`,
      'Compare issuer and jwksUri in AUTH_ISSUERS with the provider. Until then its tokens get 503.',
    );
  }
  const tookMs = Date.now() - began;
  const aheadMs = loaded.serverTime ? loaded.serverTime.getTime() - (began + tookMs / 2) : 0;
  if (Math.abs(aheadMs) > issuer.clockSkewSeconds * 1_000 + HEADER_STEP_MS + tookMs / 2) {
    const where = aheadMs > 0 ? 'ahead of' : 'behind';
    return warning(
      `The clock of ${name} is ${formatSpan(Math.abs(aheadMs))} ${where} this machine's: valid tokens are refused.`,
      'Let NTP set the clock of this machine, or increase clockSkewSeconds.',
    );
  }
  return ok(`${name} has ${countOf(loaded.keys.length, 'key')} at ${loaded.uri}.`);
}
