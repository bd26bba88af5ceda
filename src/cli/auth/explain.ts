import { createIssuers } from '../../auth/tokens/issuers.js';
import { createMcpResource } from '../../auth/tokens/mcp-resource.js';
import type { TokenGrant } from '../../auth/tokens/read-grant.js';
import { RefusedTokenError } from '../../auth/tokens/refused-token.js';
import { isToken } from '../../auth/tokens/token-form.js';
import { issuerOf, verifyToken } from '../../auth/tokens/verify-token.js';
import { type Config, ConfigError, readConfig } from '../../config/config.js';
import { DomainError } from '../../errors/errors.js';
import { fetchJson } from '../../outbound-http/fetch-json.js';
import { runCommand, UsageError } from '../run-command.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { print } from '../shared/print.js';

const MAX_INPUT = 65_536;

export const run = (args: string[]) =>
  runCommand(
    args,
    `Reads a token from standard input, and says why a server with this AUTH_ISSUERS refuses it, or what it permits. Prints
nothing of the token but its claims that Lectern uses.

Usage: lectern auth explain [--json] < token.txt

${formatFields([JSON_OPTION])}
Exits with 0, 1 (refused, or the keys of the issuer cannot be loaded) or 2 (usage error).`,
    async ({ values }) => {
      const config = readConfig();
      if (config.authIssuers.length === 0)
        throw new ConfigError('Set AUTH_ISSUERS as the server has it: no issuer is configured.');
      const explanation = await explain(await readToken(), config);
      process.exitCode = explanation.accepted ? 0 : 1;
      print(values.json ? `${JSON.stringify(explanation, undefined, 2)}\n` : describe(explanation));
    },
    { options: { json: { type: 'boolean' } } },
  );

type Explanation =
  | { accepted: false; issuer: string | null; reason: string }
  | { accepted: true; isForMcp: boolean; grant: TokenGrant };

/** As people copy it: with spaces around it, or with the scheme of its header. */
async function readToken(): Promise<string> {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) {
    text += part;
    if (text.length > MAX_INPUT) throw new UsageError('Standard input is too long for a token.');
  }
  const token = text.trim().replace(/^bearer +/i, '');
  if (token === '') throw new UsageError('Standard input is empty: pipe a token into it.');
  return token;
}

async function explain(
  token: string,
  { authIssuers, fetchAllowHosts, publicUrl }: Config,
): Promise<Explanation> {
  let failure: unknown;
  const issuers = createIssuers(authIssuers, {
    fetchJson: (url, hosts) => fetchJson(url, [...fetchAllowHosts, ...hosts]),
    clock: () => new Date(),
    onError: (error) => {
      failure = error;
    },
  });
  try {
    if (!isToken(token)) throw new RefusedTokenError('It is no JSON Web Token.');
    const known = issuerOf(token, issuers);
    const mcpResource = createMcpResource(publicUrl, authIssuers);
    const { grant, isForMcp } = await verifyToken(token, known, { now: new Date(), mcpResource });
    if (grant.permissions.length === 0 && known.issuer.newMembers !== 'everybody')
      throw new RefusedTokenError(
        'Its claims grant no permission, and only members with a role need none.',
        known.issuer.issuer,
      );
    return { accepted: true, isForMcp, grant };
  } catch (error) {
    if (error instanceof RefusedTokenError)
      return { accepted: false, issuer: error.issuer ?? null, reason: error.reason };
    if (error instanceof DomainError && failure instanceof Error)
      throw new Error(`The keys of the issuer cannot be loaded: ${failure.message}`, { cause: failure });
    throw error;
  }
}

function describe(explanation: Explanation): string {
  if (!explanation.accepted) return `Refused: ${explanation.reason}\n`;
  const { user, tenantIds, tenantUnitIds, datasetIds, permissions, expiresTime } = explanation.grant;
  const all = (ids: readonly string[] | null) => ids?.join(', ') ?? 'all';
  return `Accepted${explanation.isForMcp ? ' at the MCP endpoint alone, as its aud says' : ''}.\n\n${formatFields(
    [
      ['issuer', user.issuer],
      ['user', user.name === null ? user.id : `${user.id} (${user.name})`],
      [tenantIds.length === 1 ? 'tenant' : 'tenants', tenantIds.join(', ')],
      ['units', all(tenantUnitIds)],
      ['datasets', all(datasetIds)],
      ['permissions', permissions.join(', ') || 'none'],
      ['expires', expiresTime.toISOString()],
    ],
  )}`;
}
