import type { Queryable } from '../../../db/schema.js';
import { places } from './places.js';
import { isUser } from './user-hash.js';

/** Erasures of a tenant that had to leave something; of the latest. */
const MAX_HELD = 1_000;

/** Begins erasures of a user anew that a legal hold has kept from erasing everything. */
export async function resumeErasures(
  tx: Queryable,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  const held = await tx
    .selectFrom('userErasures')
    .select(['id', 'hashSecret', 'userHash'])
    .where('tenantId', '=', tenantId)
    .where('held', '>', 0)
    .orderBy('id', 'desc')
    .limit(MAX_HELD)
    .execute();
  const ids = held.filter((one) => isUser(one, userId)).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable('userErasures')
    .set({ userId, place: places[0].name, lastKey: null, held: 0, finishedTime: null })
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .execute();
}
