import type { ApiKey } from '../../services/api-keys/api-keys.schema.js';
import { formatFields } from '../format.js';
import { UsageError } from '../run-command.js';
import { JSON_OPTION } from '../search/run-search-command.js';
import { describeKeys } from './describe-keys.js';
import { printJson, runKeysCommand } from './run-keys-command.js';

const PAGE_SIZE = 1_000;

export const list = () =>
  runKeysCommand(
    `Shows the API keys, newest first, those that serve nobody any more too.

Usage: npm run keys -- list [--tenant <tenant>] [--json]

${formatFields([['--tenant', 'only the keys of this tenant'], JSON_OPTION])}`,
    { options: { tenant: { type: 'string' }, json: { type: 'boolean' } } },
    ({ values }, args) => {
      if (args.length > 0) throw new UsageError(`Unknown argument: ${args[0]}`);
      const scope = { tenantId: values.tenant };
      return async (apiKeys) => {
        const keys: ApiKey[] = [];
        for (let page = 1, isMore = true; isMore; page++) {
          const { items, hasNextPage } = await apiKeys.list({ scope, page, pageSize: PAGE_SIZE });
          keys.push(...items);
          isMore = hasNextPage;
        }
        if (values.json) printJson(keys);
        else process.stdout.write(describeKeys(keys));
      };
    },
  );
