import { formatFields, JSON_OPTION } from '../../format.js';
import { describeKey, KEEP_IT } from '../../keys/describe-keys.js';
import { NEW_KEY_OPTIONS, readNewKey, usualScopes } from '../../keys/read-new-key.js';
import { OPERATOR, printJson, printSecret, runKeysCommand } from '../../keys/run-keys-command.js';

export const run = (args: string[]) =>
  runKeysCommand(
    args,
    `Creates an API key and prints it once: only its hash is stored.

Usage: lectern keys create --tenant <tenant> --name <name> [--units a,b] [--datasets x,y]
                       [--scopes <list>|all] [--admin] [--expires 90d] [--json]

${formatFields([
  ['--tenant', 'the tenant of the key'],
  ['--name', 'a label: who or what uses the key'],
  ['--units', 'only these units of the tenant; all where left out'],
  ['--datasets', 'only these datasets of the tenant; all where left out'],
  ['--scopes', `its permissions; default: ${usualScopes.join(', ')}`],
  ['--admin', 'all scopes, keys:admin and operations too'],
  ['--expires', 'its lifetime, such as 12h or 90d; default: it never expires'],
  JSON_OPTION,
])}
The key alone is written to standard output, everything else to standard error.`,
    { options: { ...NEW_KEY_OPTIONS, json: { type: 'boolean' } } },
    ({ values }, positionals) => {
      const input = readNewKey(values, positionals);
      return async (apiKeys) => {
        const made = await apiKeys.create(input, OPERATOR);
        if (values.json) printJson(made);
        else
          printSecret(made.key, { before: `The key was created.\n\n${describeKey(made)}`, after: KEEP_IT });
      };
    },
    // The first key of a server that is to begin with keys.
    { mayMake: true },
  );
