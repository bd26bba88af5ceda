import type { Selectable } from 'kysely';
import type { LabelTable, Queryable } from '../../../db/schema.js';
import { type InputPath, notFound } from '../../errors/errors.js';
import { MAX_LABELS } from './labels.schema.js';

export type LabelRow = Selectable<LabelTable>;

export const labelNotFound = (path: InputPath) => notFound('Label', path);

/** The labels of a tenant by name, without those that are deleted. */
export const selectLabels = (db: Queryable, tenantId: string) =>
  db
    .selectFrom('labels')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('deletedTime', 'is', null)
    .orderBy('name')
    .limit(MAX_LABELS);

/**
 * Locks labels that conversations are to get: none is deleted before the transaction ends. Lock labels before conversations.
 *
 * @param path of their ids in the input
 * @throws DomainError `not_found` at the first id that the tenant has no label with
 */
export async function lockLabels(
  tx: Queryable,
  { tenantId, ids }: { tenantId: string; ids: readonly string[] },
  path: InputPath,
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx
    .selectFrom('labels')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .where('deletedTime', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.findIndex((id) => !found.has(id));
  if (missing >= 0) throw labelNotFound([...path, missing]);
}
