import pg from 'pg';

export interface ListSizes {
  conversations: number;
  documents: number;
}

/** The smallest data that has every column that the lists filter by. */
const STATEMENTS = [
  `insert into conversations (id, tenant_id, tenant_unit_id, topic, agent_id, user_id, agent_mode, status, assignment_id,
     created_time, updated_time)
   select $1 || n, $1, 'unit' || n % 10, 'Topic', 'agent' || n % 20, 'user', 'chat',
     (array['succeeded', 'running', 'succeeded', 'failed', 'succeeded', 'submitted', 'stopped'])[1 + n % 7],
     case when n % 3 = 0 then 'case' || n % ($2::bigint / 100) end,
     '2025-01-01'::timestamptz + n * (interval '300 days' / $2::bigint), now()
   from generate_series(1, $2::bigint) as n`,
  `insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from, content,
     requested_time)
   select $1 || n || '.' || m, $1, 'unit' || n % 10, $1 || n, 'agent', 'user', '', 'user', '', '2025-01-01'
   from generate_series(1, $2::bigint) as n cross join generate_series(1, 10) as m`,
  `insert into documents (id, tenant_id, tenant_unit_id, document_type, status, source, dataset_ids, created_time,
     updated_time)
   select $1 || n, $1, 'unit' || n % 10,
     (array['UnstructuredFile', 'StructuredFile', 'UnstructuredWebpage'])[1 + n % 3],
     (array['ready', 'ready', 'ready', 'failed'])[1 + n % 4], 'none', array['set' || n % 8],
     '2025-01-01'::timestamptz + n * (interval '300 days' / $3::bigint), now()
   from generate_series(1, $3::bigint) as n`,
  `insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id, created_time)
   select tenant_id, tenant_unit_id, id, dataset_ids[1], created_time from documents
   where tenant_id = $1 and $3::bigint > 0`,
  `insert into chunks (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content, content_complement,
     keywords, metadata, created_time, updated_time)
   select $1 || n || '.' || c, $1, 'unit' || n % 10, $1 || n, c, '', '', '', '{}', '{}', '2025-01-01', '2025-01-01'
   from generate_series(1, $3::bigint) as n cross join generate_series(1, 2) as c`,
  `insert into list_changes (tenant_id, list, tenant_unit_id, status, agent_id, assignment_id, from_time, to_time, count)
   select $1, 'conversations', tenant_unit_id, status, agent_id, assignment_id, min(created_time), max(created_time), count(*)
   from conversations where tenant_id = $1 group by 3, 4, 5, 6`,
  `insert into list_changes (tenant_id, list, tenant_unit_id, status, document_type, dataset_ids, from_time, to_time, count)
   select $1, 'documents', tenant_unit_id, status, document_type, dataset_ids, min(created_time), max(created_time), count(*)
   from documents where tenant_id = $1 group by 3, 4, 5, 6`,
];

/** Fills a tenant: ten messages a conversation and two chunks a document, made by statements of the database. */
export async function fillTenant(url: string, tenantId: string, sizes: ListSizes): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Its rows are right by construction: no foreign key is checked.
  await client.query('set session_replication_role = replica');
  const values = [tenantId, sizes.conversations, sizes.documents];
  for (const statement of STATEMENTS) {
    const used = values.filter((_, i) => statement.includes(`$${i + 1}`));
    await client.query(renumber(statement, values.length), used);
  }
  await client.end();
}

/** PostgreSQL wants parameters without gaps. */
function renumber(statement: string, count: number): string {
  let next = 0;
  return Array.from({ length: count }, (_, i) => `$${i + 1}`).reduce(
    (text, name) => (statement.includes(name) ? text.replaceAll(name, `$${++next}`) : text),
    statement,
  );
}

/** Waits until the service has built its counters, and all that was written is in them. */
export async function untilCounted(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (;;) {
    const { rows } = await client.query<{ left: boolean }>(`
      select exists (select from list_changes) or exists (select from list_counters where not is_built)
        or exists (select from (
          select count, split_count, sum(count) over (partition by tenant_id, counter_id) as total
          from list_counter_ranges) as r where count > greatest(8192, 8 * sqrt(total)) and count > 2 * split_count) as left`);
    if (!rows[0]?.left) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await client.end();
}
