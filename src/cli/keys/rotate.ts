import { apiKeyRotation } from '../../services/api-keys/api-keys.schema.js';
import { UsageError } from '../run-command.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { describeKey, formatTime, KEEP_IT } from './describe-keys.js';
import { OPERATOR, printJson, printSecret, readKeyId, runKeysCommand } from './run-keys-command.js';

export const run = (args: string[]) =>
  runKeysCommand(
    args,
    `Replaces an API key with a new one with the same restrictions, permissions and lifetime, and prints it once.

Usage: lectern keys rotate <id> [--overlap 24h] [--json]

${formatFields([
  [
    '--overlap',
    'how long the old key stays valid, such as 30m, 24h or 7d; 0 revokes it at once; default 24h',
  ],
  JSON_OPTION,
])}
Only the key goes to standard output; everything else goes to standard error.`,
    { options: { overlap: { type: 'string' }, json: { type: 'boolean' } } },
    ({ values }, positionals) => {
      const keyId = readKeyId(positionals);
      const overlap = apiKeyRotation.shape.overlap.safeParse(values.overlap);
      if (!overlap.success) throw new UsageError('--overlap must be 0, or a number with s, m, h or d.');
      return async (apiKeys) => {
        const scope = { tenantId: await apiKeys.findTenant(keyId) };
        const made = await apiKeys.rotate({ scope, keyId, overlap: overlap.data }, OPERATOR);
        const { former, ...successor } = made;
        const end = former.expiresTime && formatTime(former.expiresTime);
        if (values.json) printJson(made);
        else {
          printSecret(made.key, {
            before: `The key was created.\n\n${describeKey(successor)}`,
            after: `${KEEP_IT}The old key, ${former.id}, ${former.status === 'active' ? `is valid until ${end}` : 'is no longer valid'}.\n`,
          });
        }
      };
    },
  );
