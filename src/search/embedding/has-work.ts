import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { tenantsInQueue } from './queue.js';

/**
 * Whether a text is due to be embedded, or a model to be filled: by one index look-up for each tenant in the queue.
 *
 * @param db without the query guard
 */
export async function hasWork(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive ${tenantsInQueue}
    select exists (select from embedding_models where status <> 'retired' and not is_filled)
      or exists (
        select from tenants as t
        cross join lateral (
          select from embedding_queue where tenant_id = t.tenant_id and retry_time <= now() limit 1) as due
      ) as found
  `.execute(db);
  return rows[0]?.found ?? false;
}
