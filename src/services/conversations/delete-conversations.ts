import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import type { RecordedConversation } from './audit.js';
import { type Recording, recordDeletions } from './record-changes.js';

/** Deletes locked conversations of one tenant with everything in them, audited, counted and with their events. */
export async function deleteConversations(
  tx: Queryable,
  rows: readonly RecordedConversation[],
  recording: Recording,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  await tx
    .deleteFrom('conversations')
    .where('tenantId', '=', first.tenantId)
    .where(sql<boolean>`id = any(${rows.map(({ id }) => id)}::text[])`)
    .execute();
  await recordDeletions(tx, rows, recording);
}
