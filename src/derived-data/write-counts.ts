import { sql } from 'kysely';
import type { Queryable } from '../../db/schema.js';
import type { ListChange } from './list-changes.js';

/** What a write adds to the usage of a tenant; negative where it takes something away. */
export interface UsageChange {
  tenantId: string;
  documents?: number;
  chunks?: number;
  bytes?: number;
}

export interface Counts {
  usage?: readonly UsageChange[];
  lists?: readonly ListChange[];
}

/**
 * Counts what a transaction has written, in one statement and only where something changes: its usage, and the entries of
 * lists. Both are appended to queues, so that no write waits for another one; rollups move them into counters.
 *
 * The queues are in no statement with tables of tenants: on a cluster they are on another node.
 */
export async function writeCounts(tx: Queryable, { usage = [], lists = [] }: Counts): Promise<void> {
  const changes = sumUsage(usage);
  if (changes.length > 0 && lists.length > 0) {
    await sql`with usage as (${insertUsage(changes)}) ${insertLists(lists)}`.execute(tx);
  } else if (changes.length > 0) await insertUsage(changes).execute(tx);
  else if (lists.length > 0) await insertLists(lists).execute(tx);
}

const insertUsage = (changes: Required<UsageChange>[]) => sql`
  insert into tenant_usage_changes (tenant_id, documents, chunks, bytes)
  select "tenantId", documents, chunks, bytes
  from json_to_recordset(${JSON.stringify(changes)}::json)
    as change ("tenantId" text, documents bigint, chunks bigint, bytes bigint)`;

const insertLists = (changes: readonly ListChange[]) => sql`
  insert into list_changes (tenant_id, list, tenant_unit_id, status, agent_id, assignment_id, document_type, dataset_ids,
    from_time, to_time, count)
  select "tenantId", list, "tenantUnitId", status, "agentId", "assignmentId", "documentType", "datasetIds",
    "fromTime", "toTime", count
  from json_to_recordset(${JSON.stringify(changes)}::json)
    as change ("tenantId" text, list text, "tenantUnitId" text, status text, "agentId" text, "assignmentId" text,
      "documentType" text, "datasetIds" text[], "fromTime" timestamptz, "toTime" timestamptz, count bigint)`;

/** One change of each tenant, in their order; none where nothing is added together. */
function sumUsage(usage: readonly UsageChange[]): Required<UsageChange>[] {
  const byTenant = new Map<string, Required<UsageChange>>();
  for (const { tenantId, documents = 0, chunks = 0, bytes = 0 } of usage) {
    const sum = byTenant.get(tenantId) ?? { tenantId, documents: 0, chunks: 0, bytes: 0 };
    sum.documents += documents;
    sum.chunks += chunks;
    sum.bytes += bytes;
    byTenant.set(tenantId, sum);
  }
  return [...byTenant.values()]
    .filter(({ documents, chunks, bytes }) => documents !== 0 || chunks !== 0 || bytes !== 0)
    .sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
}
