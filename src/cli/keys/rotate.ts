import { apiKeyRotation } from '../../services/api-keys/api-keys.schema.js';
import { formatFields } from '../format.js';
import { UsageError } from '../run-command.js';
import { JSON_OPTION } from '../search/run-search-command.js';
import { describeKey, formatTime, KEEP_IT } from './describe-keys.js';
import { OPERATOR, printJson, printSecret, readKeyId, runKeysCommand } from './run-keys-command.js';

export const rotate = () =>
  runKeysCommand(
    `Makes an API key that takes another's place, with the same reach, scopes and lifetime, and prints it, this once.

Usage: npm run keys -- rotate <id> [--overlap 24h] [--json]

${formatFields([
  [
    '--overlap',
    'how long the former key still serves, such as 30m, 24h or 7d; 0 ends it at once; 24h where left out',
  ],
  JSON_OPTION,
])}
The key stands alone on the standard output (with: npm run --silent …), all else goes to the error output.`,
    { options: { overlap: { type: 'string' }, json: { type: 'boolean' } } },
    ({ values }, args) => {
      const keyId = readKeyId(args);
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
            before: `The key is made.\n\n${describeKey(successor)}`,
            after: `${KEEP_IT}The former key, ${former.id}, ${former.status === 'active' ? `serves until ${end}` : 'serves no more'}.\n`,
          });
        }
      };
    },
  );
