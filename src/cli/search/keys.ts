import { ConfigError } from '../../config/config.js';
import { connectMeilisearch } from '../../search/meilisearch/connect.js';
import { runCommand, UsageError } from '../run-command.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { printer, readSearchConfig, requireAdmin } from './run-search-command.js';
import { describeKeys, explainRefusal, isKeyAction, keyActions, tendKeys } from './server-key.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Shows, creates or deletes the keys to give to servers. MEILI_API_KEY can only search and write
documents in our indexes: it cannot create or delete indexes, or change settings or keys. MEILI_TOKEN_KEY can only search;
it signs tokens of front ends, and deleting it makes all of them invalid.

Usage: lectern search keys [${keyActions.join('|')}] [--dry-run] [--json]

Needs MEILI_ADMIN_KEY: the search server's master key, or a key that may manage keys. The same master key always creates the
same keys. A server that has only MEILI_ADMIN_KEY also creates them, and creates them again if they were deleted.

${formatFields([['--dry-run', 'shows what would be done, without doing it'], JSON_OPTION])}
Exits with 0, or with 1 if there is no key to show.`,
    async ({ values, positionals }) => {
      const [action = 'show', ...more] = positionals;
      if (!isKeyAction(action) || more.length > 0) {
        throw new UsageError(`Say ${keyActions.join(', ')}, not "${positionals.join(' ')}".`);
      }
      const { meilisearch } = readSearchConfig();
      if (!meilisearch.adminKey)
        throw new ConfigError('Set MEILI_ADMIN_KEY: it must be allowed to manage keys.');
      const admin = requireAdmin(connectMeilisearch(meilisearch));
      try {
        const isDryRun = values['dry-run'] ?? false;
        const result = await tendKeys(admin, { action, prefix: meilisearch.prefix, isDryRun });
        printer(values.json ?? false)(result, describeKeys(result));
        process.exitCode = action === 'show' && !result.key ? 1 : 0;
      } catch (error) {
        throw explainRefusal(error);
      }
    },
    {
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
    },
  );
