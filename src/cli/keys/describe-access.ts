import type { Config } from '../../config/config.js';
import type { ApiKeys } from '../../services/api-keys/api-keys.js';
import { countOf } from '../shared/format.js';

const FIRST_KEY = 'lectern keys create --tenant <tenant> --name <name> --admin';

/** Who may call the server, for its operator. */
export async function describeAccess({ authMode }: Config, apiKeys: ApiKeys): Promise<string> {
  if (authMode === 'open') {
    return `OPEN: every client that reaches this address may read, change and delete everything, without an API key.
To require keys, create one (${FIRST_KEY}) and start again with AUTH_MODE=required.`;
  }
  const count = await apiKeys.countActive();
  if (count > 0) return `API keys: ${countOf(count, 'key')} can be used`;
  return `API keys: none yet, so every request is rejected. Create the first: ${FIRST_KEY}`;
}
