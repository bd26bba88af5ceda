import { randomInt } from 'node:crypto';
import { formatApiKey, generateApiKey } from '../../src/auth/api-key-format.js';
import type { ApiKeys } from '../../src/services/api-keys/api-keys.js';

/** Generates an invalid key; a new one each time, to defeat caches. */
export type InvalidKeyGenerator = () => string;

/** Keys of each kind. */
const KEYS = 500;
const SCOPE = { tenantId: 'bench' };
const NOBODY = { userId: undefined };

/** Generators of well-formed invalid keys, by kind. */
export async function prepareInvalidKeys(apiKeys: ApiKeys): Promise<Map<string, InvalidKeyGenerator>> {
  const make = (fields: { expiresTime?: Date } = {}) =>
    apiKeys.create({ scope: SCOPE, scopes: ['search'], name: 'bench', ...fields }, NOBODY);
  const valid = await times(make);
  const revoked = await times(async () => {
    const made = await make();
    await apiKeys.revoke({ scope: SCOPE, keyId: made.id }, NOBODY);
    return made;
  });
  // Over by the time the server has started.
  const expired = await times(() => make({ expiresTime: new Date(Date.now() + 100) }));
  const unknown = () => formatApiKey(generateApiKey());
  return new Map<string, InvalidKeyGenerator>([
    ['unknown id', unknown],
    // How far apart two of one kind are, is what chance makes of any two.
    ['unknown again', unknown],
    ['wrong secret', () => formatApiKey({ id: one(valid).id, secret: generateApiKey().secret })],
    ['revoked', () => one(revoked).key],
    ['expired', () => one(expired).key],
  ]);
}

async function times<T>(make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let i = 0; i < KEYS; i++) made.push(await make());
  return made;
}

const one = <T>(items: T[]): T => items[randomInt(items.length)] as T;
