import type { Key, KeyCreation, Meilisearch } from 'meilisearch';
import { v5 as uuid } from 'uuid';
import { isApiError } from './errors.js';

const NAMESPACE = '9d9e41c5-3bb2-4c31-8f9f-0a8b6fd0a6f7';

/** The permissions of the service: no index creation or deletion, no changes of settings or keys. */
const ACTIONS = [
  'search',
  'documents.add',
  'documents.get',
  'documents.delete',
  'indexes.get',
  'settings.get',
  'stats.get',
  'tasks.get',
] as const;

/** The key of the service for the indexes of a prefix. The same admin key always makes the same one. */
export const serverKeySpec = (prefix: string): KeyCreation & { uid: string } => ({
  uid: uuid(prefix, NAMESPACE),
  name: 'Lectern server',
  description: `Searches and writes documents in the indexes ${prefix}*.`,
  actions: [...ACTIONS],
  indexes: [`${prefix}*`],
  expiresAt: null,
});

/** The key that signs tokens of front ends: it may search in the live index, and no more. */
export const tokenKeySpec = (prefix: string): KeyCreation & { uid: string } => ({
  uid: uuid(`${prefix} token`, NAMESPACE),
  name: 'Lectern tokens',
  description: `Signs tokens with which front ends search in the index ${prefix}chunks.`,
  actions: ['search'],
  indexes: [`${prefix}chunks`],
  expiresAt: null,
});

export async function findKey(admin: Meilisearch, { uid }: { uid: string }): Promise<Key | undefined> {
  try {
    return await admin.getKey(uid);
  } catch (error) {
    if (isApiError(error, 'api_key_not_found')) return undefined;
    throw error;
  }
}

/** @returns the key, created if missing; undefined on a server without authentication */
export async function ensureKey(
  admin: Meilisearch,
  spec: KeyCreation & { uid: string },
): Promise<string | undefined> {
  try {
    const found = await findKey(admin, spec);
    return (found ?? (await admin.createKey(spec))).key;
  } catch (error) {
    // Without a master key a server has no keys and asks for none.
    if (isApiError(error, 'missing_master_key')) return undefined;
    throw error;
  }
}
