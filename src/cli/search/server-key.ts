import { type Key, type Meilisearch, MeilisearchApiError } from 'meilisearch';
import { unavailable } from '../../errors/errors.js';
import { isApiError } from '../../search/meilisearch/errors.js';
import { ensureServerKey, findServerKey, serverKeySpec } from '../../search/meilisearch/keys.js';
import { formatFields } from '../shared/format.js';
import { explainFailure } from './explain-failure.js';

export const keyActions = ['show', 'create', 'delete'] as const;
export type KeyAction = (typeof keyActions)[number];

export const isKeyAction = (word: string): word is KeyAction => keyActions.some((action) => action === word);

export interface KeyResult {
  action: KeyAction;
  dryRun: boolean;
  /** Whether the action makes a difference: whether a key is made or deleted. */
  changes: boolean;
  /** The key that is there, afterwards; before it is deleted, or without the secret before it is made, on a dry run. */
  key: { uid: string; key: string | null; actions: string[]; indexes: string[] } | null;
}

export async function tendKey(
  admin: Meilisearch,
  { action, prefix, isDryRun }: { action: KeyAction; prefix: string; isDryRun: boolean },
): Promise<KeyResult> {
  const found = await findServerKey(admin, prefix);
  const result = { action, dryRun: isDryRun };
  if (action === 'show') return { ...result, changes: false, key: found ? pick(found) : null };
  if (action === 'create') {
    if (found) return { ...result, changes: false, key: pick(found) };
    const { uid, actions, indexes } = serverKeySpec(prefix);
    const key = isDryRun ? null : ((await ensureServerKey(admin, prefix)) ?? null);
    return { ...result, changes: true, key: { uid, key, actions, indexes } };
  }
  if (found && !isDryRun) await admin.deleteKey(found.uid);
  return { ...result, changes: found !== undefined, key: found && isDryRun ? pick(found) : null };
}

const pick = ({ uid, key, actions, indexes }: Key) => ({ uid, key, actions, indexes });

export function describeKey({ action, dryRun, changes, key }: KeyResult): string {
  if (action === 'delete') {
    return changes
      ? `The key ${dryRun ? 'would be' : 'is'} deleted.\n`
      : 'There is no such key; nothing to delete.\n';
  }
  if (!key) return 'There is no such key yet. Create it with: lectern search keys create\n';
  const head = action === 'create' && changes ? `The key ${dryRun ? 'would be' : 'is'} created.\n\n` : '';
  const use = key.key
    ? `\nGive it to servers instead of MEILI_ADMIN_KEY, and keep that for these commands:\n\n  MEILI_API_KEY=${key.key}\n`
    : '';
  return `${head}${formatFields([
    ['uid', key.uid],
    ['may', key.actions.join(', ')],
    ['in indexes', key.indexes.join(', ')],
  ])}${use}`;
}

/** The admin key itself is refused, or there are no keys at all. */
export function explainRefusal(error: unknown): unknown {
  if (isApiError(error, 'missing_master_key')) {
    return unavailable(
      'This search server was started without a master key: it knows no keys and asks for none.',
      undefined,
    );
  }
  if (error instanceof MeilisearchApiError && [401, 403].includes(error.response.status)) {
    return unavailable('The search server refuses MEILI_ADMIN_KEY: it is not its master key.', undefined);
  }
  return explainFailure(error);
}
