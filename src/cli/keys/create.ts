import { permissions } from '../../auth/permissions.js';
import type { ApiKey } from '../../services/api-keys/api-keys.schema.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { describeKey, formatTime, KEEP_IT } from './describe-keys.js';
import { NEW_KEY_OPTIONS, readNewKey, USUAL_LIFETIME, usualScopes } from './read-new-key.js';
import { OPERATOR, printJson, printSecret, runKeysCommand } from './run-keys-command.js';

export const run = (args: string[]) =>
  runKeysCommand(
    args,
    `Creates an API key and prints it once: only its hash is stored.

Usage: lectern keys create --tenant <tenant> --name <name> [--units a,b] [--datasets x,y]
                       [--scopes <list>|all] [--admin] [--expires <time>] [--json]

${formatFields([
  ['--tenant', 'the tenant of the key'],
  ['--name', 'a label: who or what uses the key'],
  ['--units', 'only these units of the tenant; default: all'],
  ['--datasets', 'only these datasets of the tenant; default: all'],
  [
    '--scopes',
    `its permissions, with commas between them; default: ${usualScopes.join(',')}; there are\n${permissions.slice(0, 5).join(', ')},\n${permissions.slice(5).join(', ')}`,
  ],
  ['--admin', 'all scopes, including keys:admin and operations'],
  ['--expires', `its lifetime, such as 12h or 30d, or never; default: ${USUAL_LIFETIME}`],
  JSON_OPTION,
])}
Only the key goes to standard output; everything else goes to standard error.`,
    { options: { ...NEW_KEY_OPTIONS, json: { type: 'boolean' } } },
    ({ values }, positionals) => {
      const input = readNewKey(values, positionals);
      return async (apiKeys) => {
        const made = await apiKeys.create(input, OPERATOR);
        if (values.json) return printJson(made);
        const before = `The key was created.\n\n${describeKey(made)}`;
        printSecret(made.key, { before, after: `${KEEP_IT}${describeEnd(made)}` });
      };
    },
    // The first key of a server that is to begin with keys.
    { mayMake: true },
  );

const describeEnd = ({ id, expiresTime }: ApiKey): string =>
  expiresTime
    ? `It expires on ${formatTime(expiresTime)}. Replace it before: lectern keys rotate ${id}\n`
    : 'It never expires. Revoke it when it is no longer needed.\n';
