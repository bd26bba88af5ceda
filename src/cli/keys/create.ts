import { formatFields } from '../format.js';
import { JSON_OPTION } from '../search/run-search-command.js';
import { describeKey, KEEP_IT } from './describe-keys.js';
import { NEW_KEY_OPTIONS, readNewKey, usualScopes } from './read-new-key.js';
import { OPERATOR, printJson, printSecret, runKeysCommand } from './run-keys-command.js';

export const create = () =>
  runKeysCommand(
    `Makes an API key and prints it, this once: only a hash of it is kept.

Usage: npm run keys -- create --tenant <tenant> --name <name> [--units a,b] [--datasets x,y]
                       [--scopes <list>|all] [--admin] [--expires 90d] [--json]

${formatFields([
  ['--tenant', 'whose conversations and documents the key opens'],
  ['--name', 'for people: who or what uses it'],
  ['--units', 'only these units of the tenant; all where left out'],
  ['--datasets', 'only these datasets of the tenant; all where left out'],
  ['--scopes', `what it may do; where left out: ${usualScopes.join(', ')}`],
  ['--admin', 'all scopes, keys:admin and operations too'],
  ['--expires', 'how long it serves, such as 12h or 90d; for ever where left out'],
  JSON_OPTION,
])}
The key stands alone on the standard output (with: npm run --silent …), all else goes to the error output.`,
    { options: { ...NEW_KEY_OPTIONS, json: { type: 'boolean' } } },
    ({ values }, args) => {
      const input = readNewKey(values, args);
      return async (apiKeys) => {
        const made = await apiKeys.create(input, OPERATOR);
        if (values.json) printJson(made);
        else printSecret(made.key, { before: `The key is made.\n\n${describeKey(made)}`, after: KEEP_IT });
      };
    },
  );
