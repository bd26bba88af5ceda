import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { lockCollections } from '../evaluations/rows.js';
import { deleteRunsOfEmpty } from '../evaluations/store-question.js';
import type { Rows } from './place.js';

interface Deleted {
  id: string;
  tenantUnitId: string;
  collection: string;
}

/**
 * Deletes judged questions, stored results with them, and the runs of collections that have no question any more.
 *
 * @param isOne condition on questions
 * @returns how many there were
 */
export async function eraseQuestions(
  { tx, tenantId }: Pick<Rows, 'tx' | 'tenantId'>,
  isOne: RawBuilder<SqlBool>,
): Promise<number> {
  const isFound = sql`from evaluation_questions where tenant_id = ${tenantId} and (${isOne})`;
  const units = await sql<Pick<Deleted, 'tenantUnitId'>>`
    select distinct tenant_unit_id ${isFound} order by tenant_unit_id
  `.execute(tx);
  for (const { tenantUnitId } of units.rows) await lockCollections(tx, { tenantId, tenantUnitId });
  const { rows } = await sql<Deleted>`delete ${isFound} returning id, tenant_unit_id, collection`.execute(tx);
  const collections = new Map(rows.map((row) => [JSON.stringify([row.tenantUnitId, row.collection]), row]));
  for (const { tenantUnitId, collection } of collections.values())
    await deleteRunsOfEmpty(tx, { tenantId, tenantUnitId }, collection);
  await forgetResults(
    { tx, tenantId },
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Results of calls that made or changed them. */
async function forgetResults({ tx, tenantId }: Pick<Rows, 'tx' | 'tenantId'>, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    delete from idempotency_keys as t where t.tenant_id = ${tenantId}
      and exists (select from unnest(${ids}::text[]) as q (id) where position(convert_to(q.id, 'UTF8') in t.result) > 0)
  `.execute(tx);
}
