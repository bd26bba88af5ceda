import type { ApiKey } from '../../services/api-keys/api-keys.schema.js';
import { UsageError } from '../run-command.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { print } from '../shared/print.js';
import { describeKeys } from './describe-keys.js';
import { printJson, runKeysCommand } from './run-keys-command.js';

const PAGE_SIZE = 1_000;

export const run = (args: string[]) =>
  runKeysCommand(
    args,
    `Lists the API keys, newest first, including revoked and expired ones.

Usage: lectern keys list [--tenant <tenant>] [--json]

${formatFields([['--tenant', 'only the keys of this tenant'], JSON_OPTION])}`,
    { options: { tenant: { type: 'string' }, json: { type: 'boolean' } } },
    ({ values }, positionals) => {
      if (positionals.length > 0) throw new UsageError(`Unknown argument: ${positionals[0]}`);
      const scope = { tenantId: values.tenant };
      return async (apiKeys) => {
        const keys: ApiKey[] = [];
        for (let page = 1, isMore = true; isMore; page++) {
          const { items, hasNextPage } = await apiKeys.list({ scope, page, pageSize: PAGE_SIZE });
          keys.push(...items);
          isMore = hasNextPage;
        }
        if (values.json) printJson(keys);
        else print(describeKeys(keys));
      };
    },
  );
