import { createHmac, randomUUID } from 'node:crypto';
import type { Access } from './access.js';
import { ApiError, expectOnly, NotImplementedError } from './errors.js';
import { readTenantToken } from './tenant-token.js';

const ACTIONS = [
  'search',
  'documents.*',
  'documents.add',
  'documents.get',
  'documents.delete',
  'indexes.create',
  'indexes.get',
  'indexes.delete',
  'indexes.swap',
  'tasks.get',
  'settings.get',
  'settings.update',
  'stats.get',
];

export interface Key {
  name: string | null;
  description: string | null;
  key: string;
  uid: string;
  actions: string[];
  indexes: string[];
  expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export type Keys = ReturnType<typeof createKeys>;

const invalidKey = (message = 'The provided API key is invalid.') =>
  new ApiError(403, 'invalid_api_key', message, 'auth');
const everything: Access = { indexes: ['*'], may: () => true, reaches: () => true };

/** The keys of one server, which are derived from its master key. */
export function createKeys(masterKey: string) {
  const keys = new Map<string, Key>();

  function find(uidOrKey: string): Key {
    const found = keys.get(uidOrKey) ?? [...keys.values()].find(({ key }) => key === uidOrKey);
    if (!found) throw new ApiError(404, 'api_key_not_found', `API key \`${uidOrKey}\` not found.`);
    return found;
  }

  return {
    find,

    create(given: Partial<Key>): Key {
      expectOnly(
        Object.keys(given),
        ['uid', 'name', 'description', 'actions', 'indexes', 'expiresAt'],
        'a key',
      );
      const { uid = randomUUID(), name = null, description = null, actions, indexes, expiresAt } = given;
      if (!actions || !indexes || expiresAt !== null) throw new NotImplementedError('such a key');
      expectOnly(actions, ACTIONS, 'the actions of a key');
      const now = new Date().toISOString();
      const key = createHmac('sha256', masterKey).update(uid).digest('hex');
      const made = { name, description, key, uid, actions, indexes, expiresAt };
      keys.set(uid, { ...made, createdAt: now, updatedAt: now });
      return find(uid);
    },

    remove(uidOrKey: string): void {
      keys.delete(find(uidOrKey).uid);
    },

    /** Checks that the sender may do `action`, also with the index that the path names. */
    authorize(header: string | undefined, action: string, indexUid?: string): Access {
      const token = /^Bearer (.*)$/.exec(header ?? '')?.[1];
      if (token === undefined) {
        const message = 'The Authorization header is missing. It must use the bearer authorization method.';
        throw new ApiError(401, 'missing_authorization_header', message, 'auth');
      }
      if (token === masterKey) return everything;
      const key = [...keys.values()].find((one) => one.key === token);
      const access = key ? toAccess(key) : readTenantToken(token, (uid) => keys.get(uid));
      if (!access?.may(action)) throw invalidKey();
      if (indexUid !== undefined && !access.reaches(indexUid)) {
        const list = `[${access.indexes.map((pattern) => `"${pattern}"`).join(', ')}]`;
        throw invalidKey(
          access.isToken
            ? `The provided tenant token cannot acces the index \`${indexUid}\`, allowed indexes are ${list}.`
            : `The API key cannot acces the index \`${indexUid}\`, authorized indexes are ${list}.`,
        );
      }
      return access;
    },
  };
}

/** For requests whose body names indexes. */
export function expectReach(access: Access, ...indexUids: string[]): void {
  if (!indexUids.every(access.reaches)) throw invalidKey();
}

const toAccess = ({ actions, indexes }: Key): Access => ({
  indexes,
  may: (action) => [action, action.replace(/\..*/, '.*')].some((name) => actions.includes(name)),
  reaches: (uid) =>
    indexes.some((pattern) =>
      pattern.endsWith('*') ? uid.startsWith(pattern.slice(0, -1)) : uid === pattern,
    ),
});
