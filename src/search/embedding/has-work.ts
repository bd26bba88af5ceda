import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';

/**
 * Whether a text is due to be embedded, or a model to be filled: by one index look-up for each tenant in the queue.
 *
 * @param db without the query guard
 */
export async function hasWork(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive tenants as (
      (select tenant_id from embedding_queue order by tenant_id limit 1)
      union all
      select (select q.tenant_id from embedding_queue as q where q.tenant_id > t.tenant_id order by q.tenant_id limit 1)
      from tenants as t where t.tenant_id is not null
    )
    select exists (select from embedding_models where status <> 'retired' and not is_filled)
      or exists (
        select from tenants as t
        cross join lateral (
          select from embedding_queue where tenant_id = t.tenant_id and retry_time <= now() limit 1) as due
      ) as found
  `.execute(db);
  return rows[0]?.found ?? false;
}
