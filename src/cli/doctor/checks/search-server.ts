import type { SearchServerConfig } from '../../../config/config.js';
import { connectMeilisearch, type MeilisearchServer } from '../../../search/meilisearch/connect.js';
import { toOperatorMessage } from '../../../search/meilisearch/errors.js';
import { findKey, serverKeySpec } from '../../../search/meilisearch/keys.js';
import { inspectServer } from '../../../search/meilisearch/server-status.js';
import { type Check, type Finding, ok, problem, splitAdvice, warning } from '../check.js';
import { checkTokens } from './search-tokens.js';

const LEAST_VERSION = [1, 36] as const;

/** The search server of a configuration; unlike a Lectern server, this makes no key. */
export const connectSearchServer = (options: SearchServerConfig): MeilisearchServer =>
  connectMeilisearch({ ...options, apiKey: options.apiKey ?? options.adminKey });

export const checkSearchServer: Check = {
  name: 'search server',
  async run({ config: { meilisearch } }) {
    if (!meilisearch) return ok('None is configured: PostgreSQL searches.');
    const server = connectSearchServer(meilisearch);
    const { reachable, error, version, isIndexMissing, settingsDifferences } = await inspectServer(server);
    if (error) return problem(...splitAdvice(error, reachable ? KEYS : 'Check MEILI_URL.'));
    const findings: Finding[] = [];
    if (version && isOlder(version)) {
      findings.push(problem(`Meilisearch ${version} is older than 1.36.`, 'Upgrade it.'));
    }
    findings.push(...checkIndex(server, { isIndexMissing, settingsDifferences }));
    if (meilisearch.adminKey && !meilisearch.apiKey) findings.push(...(await checkKey(server)));
    if (!isIndexMissing) findings.push(...(await checkTokens(meilisearch, server)));
    const name = version ? `Meilisearch ${version}` : 'Meilisearch';
    return findings.length > 0 ? findings : ok(`${name} answers, with the index ${server.indexUid}.`);
  },
};

const KEYS = 'Compare MEILI_API_KEY with what lectern search keys shows.';

function checkIndex(
  { indexUid, adminClient }: MeilisearchServer,
  { isIndexMissing, settingsDifferences }: { isIndexMissing: boolean; settingsDifferences: number | null },
): Finding[] {
  if (isIndexMissing) {
    const said = `There is no index ${indexUid}.`;
    return adminClient
      ? [warning(said, 'A running server makes and fills it: start one.')]
      : [problem(said, 'Run lectern search reindex with MEILI_ADMIN_KEY.')];
  }
  if (!settingsDifferences) return [];
  return [
    warning(
      `Settings of the index ${indexUid} differ (${settingsDifferences}).`,
      'Run lectern search settings diff, and then apply.',
    ),
  ];
}

/** The key that a server has made for itself. */
async function checkKey({ adminClient, prefix }: MeilisearchServer): Promise<Finding[]> {
  if (!adminClient) return [];
  try {
    const key = await findKey(adminClient, serverKeySpec(prefix));
    const lacking = key
      ? serverKeySpec(prefix).actions.filter((action) => !key.actions.includes(action))
      : [];
    if (lacking.length === 0) return [];
    const said = `The key that servers use lacks permissions: ${lacking.join(', ')}.`;
    return [problem(said, 'Delete that key, and start the server, which makes another.')];
  } catch (error) {
    return [problem(...splitAdvice(toOperatorMessage(error), KEYS))];
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1]);
}
