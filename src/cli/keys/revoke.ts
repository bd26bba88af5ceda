import { formatFields } from '../format.js';
import { JSON_OPTION } from '../search/run-search-command.js';
import { OPERATOR, printJson, readKeyId, runKeysCommand } from './run-keys-command.js';

export const revoke = () =>
  runKeysCommand(
    `Ends an API key: from the next request on it serves nobody. There is no way back.

Usage: npm run keys -- revoke <id> [--json]

${formatFields([JSON_OPTION])}`,
    { options: { json: { type: 'boolean' } } },
    ({ values }, args) => {
      const keyId = readKeyId(args);
      return async (apiKeys) => {
        const scope = { tenantId: await apiKeys.findTenant(keyId) };
        const revoked = await apiKeys.revoke({ scope, keyId }, OPERATOR);
        if (values.json) printJson(revoked);
        else process.stdout.write(`The key ${revoked.id}, "${revoked.name}", is revoked.\n`);
      };
    },
  );
