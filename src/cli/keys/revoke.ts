import { formatFields, JSON_OPTION } from '../shared/format.js';
import { print } from '../shared/print.js';
import { OPERATOR, printJson, readKeyId, runKeysCommand } from './run-keys-command.js';

export const run = (args: string[]) =>
  runKeysCommand(
    args,
    `Revokes an API key: it is rejected from the next request on. This cannot be undone.

Usage: lectern keys revoke <id> [--json]

${formatFields([JSON_OPTION])}`,
    { options: { json: { type: 'boolean' } } },
    ({ values }, positionals) => {
      const keyId = readKeyId(positionals);
      return async (apiKeys) => {
        const scope = { tenantId: await apiKeys.findTenant(keyId) };
        const revoked = await apiKeys.revoke({ scope, keyId }, OPERATOR);
        if (values.json) printJson(revoked);
        else print(`The key ${revoked.id}, "${revoked.name}", is revoked.\n`);
      };
    },
  );
