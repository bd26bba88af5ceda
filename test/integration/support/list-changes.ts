import { type RawBuilder, sql } from 'kysely';
import type { CountedList } from '../../../db/schema.js';

/** Counts rows of a list that a common table expression inserts or deletes, in its statement. */
export const insertListChanges = (
  list: CountedList,
  { rows, sign = 1 }: { rows: RawBuilder<unknown>; sign?: 1 | -1 },
): RawBuilder<unknown> => {
  const counted = sql`min(created_time), max(created_time), ${sql.lit(sign)} * count(*) from ${rows}`;
  return list === 'conversations'
    ? sql`
      insert into list_changes (tenant_id, list, tenant_unit_id, status, agent_id, assignment_id, from_time, to_time, count)
      select tenant_id, 'conversations', tenant_unit_id, status, agent_id, assignment_id, ${counted} group by 1, 3, 4, 5, 6`
    : sql`
      insert into list_changes (tenant_id, list, tenant_unit_id, status, document_type, dataset_ids, from_time, to_time, count)
      select tenant_id, 'documents', tenant_unit_id, status, document_type, dataset_ids, ${counted} group by 1, 3, 4, 5, 6`;
};
