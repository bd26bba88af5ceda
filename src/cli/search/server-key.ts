import type { Key, Meilisearch } from 'meilisearch';
import { unavailable } from '../../errors/errors.js';
import { isApiError, isAuthError } from '../../search/meilisearch/errors.js';
import { ensureKey, findKey, serverKeySpec, tokenKeySpec } from '../../search/meilisearch/keys.js';
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
  key: ShownKey | null;
  /** Likewise the key that signs tokens of front ends. */
  tokenKey: ShownKey | null;
}

type ShownKey = { uid: string; key: string | null; actions: string[]; indexes: string[] };
type KeySpec = ReturnType<typeof serverKeySpec>;

export async function tendKeys(
  admin: Meilisearch,
  { action, prefix, isDryRun }: { action: KeyAction; prefix: string; isDryRun: boolean },
): Promise<KeyResult> {
  const tend = (spec: KeySpec) => tendKey(admin, spec, { action, isDryRun });
  const [server, token] = [await tend(serverKeySpec(prefix)), await tend(tokenKeySpec(prefix))];
  const changes = server.changes || token.changes;
  return { action, dryRun: isDryRun, changes, key: server.key, tokenKey: token.key };
}

async function tendKey(
  admin: Meilisearch,
  spec: KeySpec,
  { action, isDryRun }: { action: KeyAction; isDryRun: boolean },
): Promise<{ changes: boolean; key: ShownKey | null }> {
  const found = await findKey(admin, spec);
  if (action === 'show' || (action === 'create' && found)) {
    return { changes: false, key: found ? pick(found) : null };
  }
  if (action === 'create') {
    const { uid, actions, indexes } = spec;
    const key = isDryRun ? null : ((await ensureKey(admin, spec)) ?? null);
    return { changes: true, key: { uid, key, actions, indexes } };
  }
  if (found && !isDryRun) await admin.deleteKey(found.uid);
  return { changes: found !== undefined, key: found && isDryRun ? pick(found) : null };
}

const pick = ({ uid, key, actions, indexes }: Key): ShownKey => ({ uid, key, actions, indexes });

export function describeKeys({ action, dryRun, changes, key, tokenKey }: KeyResult): string {
  if (action === 'delete') {
    return changes
      ? `The keys ${dryRun ? 'would be' : 'are'} deleted.\n`
      : 'There are no such keys; nothing to delete.\n';
  }
  if (!key) return 'There is no such key yet. Create it with: lectern search keys create\n';
  const head = action === 'create' && changes ? `The keys ${dryRun ? 'would be' : 'are'} created.\n\n` : '';
  return `${head}${describeKey(
    key,
    'MEILI_API_KEY',
    'Give it to servers instead of MEILI_ADMIN_KEY, and keep that for these commands:',
  )}${tokenKey ? `\n${describeKey(tokenKey, 'MEILI_TOKEN_KEY', 'Give it to servers that make tokens for front ends:')}` : ''}`;
}

function describeKey(key: ShownKey, variable: string, use: string): string {
  return `${formatFields([
    ['uid', key.uid],
    ['may', key.actions.join(', ')],
    ['in indexes', key.indexes.join(', ')],
  ])}${key.key ? `\n${use}\n\n  ${variable}=${key.key}\n` : ''}`;
}

/** The admin key itself is refused, or there are no keys at all. */
export function explainRefusal(error: unknown): unknown {
  if (isApiError(error, 'missing_master_key')) {
    return unavailable(
      'This search server was started without a master key: it knows no keys and asks for none.',
      undefined,
    );
  }
  if (isAuthError(error)) {
    return unavailable('The search server refuses MEILI_ADMIN_KEY: it is not its master key.', undefined);
  }
  return explainFailure(error);
}
