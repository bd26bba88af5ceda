import type { Queryable } from '../../../../db/schema.js';
import type { KeyAccess } from '../../../auth/permissions.js';
import { type InputPath, invalid } from '../../../errors/errors.js';
import { insertLabel, lockLabelsOfTenant } from '../../labels/insert-labels.js';
import type { Actor } from '../../shared/actor.js';
import type { ConversationsToImport } from './transfer.schema.js';

interface Provision {
  tenantId: string;
  conversations: ConversationsToImport['conversations'];
  now: Date;
  /** Keys of some units create no labels. */
  access: KeyAccess | undefined;
}

/**
 * Creates the labels that the tenant lacks of conversations that it does not have yet; those that it has keep theirs.
 *
 * @returns the ids of labels by name; none is deleted before the transaction ends
 * @throws DomainError `invalid` where the caller may not create one; `conflict` where the tenant has too many
 */
export async function provideLabels(
  tx: Queryable,
  { tenantId, conversations, now, access }: Provision,
  actor: Actor,
): Promise<Map<string, string>> {
  const stored = await lockStored(tx, tenantId, conversations);
  const wanted = conversations.flatMap(({ id, labels }, place) =>
    stored.has(id)
      ? []
      : labels.map((label, at) => ({ ...label, path: ['conversations', place, 'labels', at, 'name'] })),
  );
  if (wanted.length === 0) return new Map();
  const labels = await lockLabelsOfTenant(tx, tenantId);
  const ids = new Map(labels.map(({ name, id }) => [name, id]));
  for (const { name, color, path } of wanted) {
    if (ids.has(name)) continue;
    if (access?.tenantUnitIds) throw invalid(MAY_NOT_CREATE, path as InputPath);
    const label = await insertLabel(tx, { tenantId, name, color, others: labels, now }, actor, path);
    labels.push(label);
    ids.set(name, label.id);
  }
  return ids;
}

/** Finds those with labels that are stored, which nobody deletes before the transaction ends. */
async function lockStored(
  tx: Queryable,
  tenantId: string,
  conversations: Provision['conversations'],
): Promise<Set<string>> {
  const ids = conversations.flatMap(({ id, labels }) => (labels.length > 0 ? [id] : []));
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

const MAY_NOT_CREATE =
  'The tenant has no label of this name, and an API key for some units may not create one.';
