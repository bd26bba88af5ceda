import { type RawBuilder, sql } from 'kysely';
import { FIXED_LOCK_IDS } from '../../../db/advisory-locks.js';
import type { Database } from '../../../db/schema.js';

/*
 * What is counted and copied of documents, chunks, files and conversations, against a recount. Lists are compared with all
 * changes since the database was empty: hold the rollup before anything is written.
 */

/** Runs `work` while no change of a list is folded. */
export const withoutListRollup = <T>(db: Database, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (session) => {
    const lock = FIXED_LOCK_IDS.listRollup;
    await sql`select pg_advisory_lock(${lock})`.execute(session);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(session);
    }
  });

/** Rows on one side alone. */
const differences = (kept: RawBuilder<unknown>, counted: RawBuilder<unknown>) => sql`
  with kept as (${kept}), counted as (${counted})
  select 'kept' as side, to_jsonb(k) as row from (select * from kept except all select * from counted) as k
  union all
  select 'counted', to_jsonb(c) from (select * from counted except all select * from kept) as c
  order by 1, 2`;

const usage = differences(
  sql`
    select tenant_id, sum(documents)::bigint as documents, sum(chunks)::bigint as chunks, sum(bytes)::bigint as bytes
    from (select tenant_id, documents, chunks, bytes from tenant_usage
          union all select tenant_id, documents, chunks, bytes from tenant_usage_changes) as parts
    group by tenant_id having sum(documents) <> 0 or sum(chunks) <> 0 or sum(bytes) <> 0`,
  sql`
    select tenant_id, sum(documents)::bigint, sum(chunks)::bigint, sum(bytes)::bigint
    from (select tenant_id, 1 as documents, 0 as chunks, 0 as bytes from documents
          union all select tenant_id, 0, 1, 0 from chunks
          union all select tenant_id, 0, 0, coalesce(size_bytes, 0) from document_sources
          union all select tenant_id, 0, 0, size_bytes from uploads) as parts
    group by tenant_id having sum(documents) <> 0 or sum(chunks) <> 0 or sum(bytes) <> 0`,
);

const lists = differences(
  sql`
    select tenant_id, list, tenant_unit_id, status, agent_id, assignment_id, document_type, dataset_ids,
      sum(count)::bigint as count
    from list_changes group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(count) <> 0`,
  sql`
    select tenant_id, 'conversations', tenant_unit_id, status, agent_id, assignment_id, null, null, count(*)
    from conversations group by 1, 2, 3, 4, 5, 6
    union all
    select tenant_id, 'documents', tenant_unit_id, status, null, null, document_type, dataset_ids, count(*)
    from documents group by 1, 2, 3, 4, 7, 8`,
);

/** When entries were made; not of tenants of which several were counted in one change. */
const isExact = sql`not exists (
  select from list_changes as several
  where several.tenant_id = entry.tenant_id and several.from_time < several.to_time)`;
const times = differences(
  sql`
    select tenant_id, list, from_time, sum(count)::bigint as count
    from list_changes as entry where ${isExact} group by 1, 2, 3 having sum(count) <> 0`,
  sql`
    select tenant_id, 'conversations', created_time, count(*) from conversations as entry where ${isExact} group by 1, 2, 3
    union all
    select tenant_id, 'documents', created_time, count(*) from documents as entry where ${isExact} group by 1, 2, 3`,
);

const datasets = differences(
  sql`select tenant_id, id, dataset_ids, created_time from documents where dataset_ids <> '{}'`,
  sql`
    select tenant_id, document_id, array_agg(dataset_id::text order by dataset_id), created_time
    from document_datasets group by tenant_id, document_id, created_time`,
);

const names = differences(
  sql`select tenant_id, tenant_unit_id, dataset_id, name_end, document_id from document_names`,
  sql`
    select distinct d.tenant_id, d.tenant_unit_id, s.dataset_id, name_end, d.id
    from documents as d
    join document_datasets as s on s.tenant_id = d.tenant_id and s.document_id = d.id
    cross join lateral unnest(array[d.document_name, d.title]) as name
    cross join lateral name_ends(name) as name_end
    where d.enabled and name_end <> ''`,
);

const properties = differences(
  sql`select tenant_id, entry, document_id from document_properties`,
  sql`
    select tenant_id, entry, id
    from documents cross join lateral property_entries(custom_properties, document_name, url) as entry`,
);

const labels = differences(
  sql`select tenant_id, id, labels, created_time from conversations where labels <> '{}'`,
  sql`
    select tenant_id, conversation_id, array_agg(label_id::text order by label_id), created_time
    from conversation_labels group by tenant_id, conversation_id, created_time`,
);

const CHECKS = { usage, lists, times, datasets, labels, names, properties };
/** Without those that need all changes of lists. */
const FOLDED = { usage, datasets, labels, names, properties };

/** What differs, by what it is of; at one moment also on a cluster, where it takes one connection to each worker. */
export const findDrift = (
  db: Database,
  { isFolded = false }: { isFolded?: boolean } = {},
): Promise<Record<string, unknown[]>> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`set local citus.max_adaptive_executor_pool_size = 1`.execute(tx);
      const drift: Record<string, unknown[]> = {};
      for (const [what, check] of Object.entries(isFolded ? FOLDED : CHECKS)) {
        const { rows } = await check.execute(tx);
        if (rows.length > 0) drift[what] = rows;
      }
      return drift;
    });
