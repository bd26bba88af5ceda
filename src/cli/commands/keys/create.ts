import { formatFields, JSON_OPTION } from '../../format.js';
import { describeKey, KEEP_IT } from '../../keys/describe-keys.js';
import { NEW_KEY_OPTIONS, readNewKey, usualScopes } from '../../keys/read-new-key.js';
import { OPERATOR, printJson, printSecret, runKeysCommand } from '../../keys/run-keys-command.js';

export const run = (args: string[]) =>
  runKeysCommand(
    args,
    `Makes an API key and prints it, this once: only a hash of it is kept.

Usage: lectern keys create --tenant <tenant> --name <name> [--units a,b] [--datasets x,y]
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
The key stands alone on the standard output, all else goes to the error output.`,
    { options: { ...NEW_KEY_OPTIONS, json: { type: 'boolean' } } },
    ({ values }, positionals) => {
      const input = readNewKey(values, positionals);
      return async (apiKeys) => {
        const made = await apiKeys.create(input, OPERATOR);
        if (values.json) printJson(made);
        else printSecret(made.key, { before: `The key is made.\n\n${describeKey(made)}`, after: KEEP_IT });
      };
    },
  );
