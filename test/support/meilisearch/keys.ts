import { createHmac, randomUUID } from 'node:crypto';
import { ApiError, expectOnly, NotImplementedError } from './errors.js';

/** Those a key can only have for all indexes. */
const GLOBAL_ACTIONS = ['version', 'keys.get', 'keys.create', 'keys.update', 'keys.delete'];
const ACTIONS = [
  ...['*', 'search', 'documents.*', 'documents.add', 'documents.get', 'documents.delete'],
  ...['indexes.*', 'indexes.create', 'indexes.get', 'indexes.delete', 'indexes.swap'],
  ...['tasks.*', 'tasks.get', 'tasks.cancel', 'settings.*', 'settings.get', 'settings.update'],
  ...['stats.*', 'stats.get', ...GLOBAL_ACTIONS],
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

/** What the sender of a request may do. */
export interface Access {
  indexes: string[];
  may: (action: string) => boolean;
  reaches: (indexUid: string) => boolean;
}

export type Keys = ReturnType<typeof createKeys>;

const FIELDS = ['actions', 'indexes', 'expiresAt'] as const;
const invalidKey = (message = 'The provided API key is invalid.') =>
  new ApiError(403, 'invalid_api_key', message, 'auth');
const everything: Access = { indexes: ['*'], may: () => true, reaches: () => true };

/** The keys of one server, which are derived from its master key. */
export function createKeys(masterKey: string) {
  const keys = new Map<string, Key>();

  function add(given: Pick<Key, 'actions' | 'indexes'> & Partial<Key>): Key {
    const { uid = randomUUID(), name = null, description = null, actions, indexes, expiresAt = null } = given;
    const now = new Date().toISOString();
    const key = createHmac('sha256', masterKey).update(uid).digest('hex');
    const made = { name, description, key, uid, actions, indexes, expiresAt, createdAt: now, updatedAt: now };
    keys.set(uid, made);
    return made;
  }

  function find(uidOrKey: string): Key {
    const found = keys.get(uidOrKey) ?? [...keys.values()].find(({ key }) => key === uidOrKey);
    if (!found) throw new ApiError(404, 'api_key_not_found', `API key \`${uidOrKey}\` not found.`);
    return found;
  }

  add({ name: 'Default Admin API Key', actions: ['*'], indexes: ['*'] });
  add({ name: 'Default Search API Key', actions: ['search'], indexes: ['*'] });

  return {
    find,
    list: () => [...keys.values()].reverse(),

    create(given: Record<string, any>): Key {
      expectOnly(Object.keys(given), ['uid', 'name', 'description', ...FIELDS], 'a key');
      for (const field of FIELDS) {
        const code = field === 'expiresAt' ? 'missing_api_key_expires_at' : `missing_api_key_${field}`;
        if (given[field] === undefined) throw new ApiError(400, code, `Missing field \`${field}\``);
      }
      expectOnly(given.actions, ACTIONS, 'the actions of a key');
      if (given.expiresAt !== null) throw new NotImplementedError('keys that expire');
      const global = given.actions.find((action: string) => GLOBAL_ACTIONS.includes(action));
      if (global && !given.indexes.includes('*')) {
        const message = `cannot create index-scoped API key with global action \`"${global}"\`\n  - Hint: remove action \`"${global}"\` from the action list, or remove \`indexes\` to make the key global`;
        throw new ApiError(400, 'index_scoped_api_key_with_global_action', message);
      }
      if (keys.has(given.uid)) {
        const message = `\`uid\` field value \`${given.uid}\` is already an existing API key.`;
        throw new ApiError(409, 'api_key_already_exists', message);
      }
      return add(given as Key);
    },

    remove(uidOrKey: string): void {
      keys.delete(find(uidOrKey).uid);
    },

    /** What the sender may do. Refuses who may not do `action`, or not with the index that the path names. */
    authorize(header: string | undefined, action: string, indexUid?: string): Access {
      const token = /^Bearer (.*)$/.exec(header ?? '')?.[1];
      if (token === undefined) {
        const message = 'The Authorization header is missing. It must use the bearer authorization method.';
        throw new ApiError(401, 'missing_authorization_header', message, 'auth');
      }
      if (token === masterKey) return everything;
      const key = [...keys.values()].find((one) => one.key === token);
      const access = key && toAccess(key);
      if (!access?.may(action)) throw invalidKey();
      if (indexUid !== undefined && !access.reaches(indexUid)) {
        const list = `[${access.indexes.map((pattern) => `"${pattern}"`).join(', ')}]`;
        throw invalidKey(
          `The API key cannot acces the index \`${indexUid}\`, authorized indexes are ${list}.`,
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

function toAccess({ actions, indexes }: Key): Access {
  return {
    indexes,
    may: (action) => ['*', action, action.replace(/\..*/, '.*')].some((name) => actions.includes(name)),
    reaches: (uid) =>
      indexes.some((pattern) =>
        pattern.endsWith('*') ? uid.startsWith(pattern.slice(0, -1)) : uid === pattern,
      ),
  };
}
