import { type RawBuilder, sql } from 'kysely';
import type { JobLane } from '../../db/enums.js';
import type { Database, Queryable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import type { RetentionRule } from '../retention/expired-rows.js';
import { type RetentionState, readRetention } from '../retention/read-retention.js';

/** What waits is counted up to here. */
export const MAX_COUNTED = 100_000;
const STATEMENT_TIMEOUT = '2s';
/** Several scrapers within this time get the same answer. */
const CACHE_MS = 5_000;
/** Shares of a quota. */
const THRESHOLDS = ['0.9', '1'];

/** Limits of each tenant, if any. */
type TenantLimits = Partial<Record<keyof typeof USED, number | undefined>>;

/** Where it is counted what tenants have used: a label, and a column of a table. */
const USED = {
  documents: ['documents', 'documents', 'tenant_usage'],
  chunks: ['chunks', 'chunks', 'tenant_usage'],
  bytes: ['bytes', 'bytes', 'tenant_usage'],
  extractedPages: ['extracted_pages', 'pages', 'extraction_usage'],
} as const;

interface LaneBacklog {
  lane: JobLane;
  waiting: number;
  retrying: number;
  running: number;
  /** Seconds. */
  oldestAge: number;
}

interface QueueBacklog {
  queue: string;
  count: number;
  /** Seconds; null where that is not known. */
  oldestAge: number | null;
}

export interface Backlogs {
  jobs: LaneBacklog[];
  queues: QueueBacklog[];
  /** Tenants that have used so much of a quota or more. */
  quotas: { resource: string; atLeast: string; tenants: number }[];
  retention: RetentionState;
}

export type ReadBacklogs = () => Promise<Backlogs>;

/** Reads what waits in the database, at most every few seconds. */
export function createReadBacklogs(db: Database, quotas: TenantLimits, rules: RetentionRule[]): ReadBacklogs {
  let current: Promise<Backlogs> | undefined;
  const forget = () => {
    current = undefined;
  };
  return () => {
    if (!current) {
      current = readBacklogs(db, quotas, rules);
      current.then(() => setTimeout(forget, CACHE_MS).unref(), forget);
    }
    return current;
  };
}

async function readBacklogs(
  database: Database,
  quotas: TenantLimits,
  rules: RetentionRule[],
): Promise<Backlogs> {
  const db = unscoped(database, 'Metrics count what waits for all tenants.');
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT)}`.execute(tx);
    return {
      jobs: await readLanes(tx),
      queues: await readQueues(tx),
      quotas: await countTenantsAtQuota(tx, quotas),
      retention: await readRetention(tx, rules),
    };
  });
}

async function readLanes(db: Queryable): Promise<LaneBacklog[]> {
  const { rows } = await sql<LaneBacklog>`
    select lane, count(*) filter (where lease_owner is null and next_attempt_time is null) as waiting,
      count(*) filter (where lease_owner is null and next_attempt_time is not null) as retrying,
      count(*) filter (where lease_owner is not null) as running,
      coalesce(extract(epoch from now() - min(queued_time) filter (where lease_owner is null and next_attempt_time is null)), 0)::float
        as oldest_age
    from (select * from processing_jobs limit ${sql.lit(MAX_COUNTED)}) as jobs group by lane
  `.execute(db);
  return rows;
}

async function readQueues(db: Queryable): Promise<QueueBacklog[]> {
  const oldest = (column: string, from: RawBuilder<unknown>) =>
    sql`extract(epoch from now() - (select ${sql.ref(column)} from ${from} limit 1))::float`;
  const count = (from: RawBuilder<unknown>) =>
    sql`(select count(*) from (select 1 from ${from} limit ${sql.lit(MAX_COUNTED)}) as counted)`;
  const queues = {
    index: [
      count(sql`search_outbox where error is null`),
      oldest('queued_time', sql`search_outbox where error is null order by revision`),
    ],
    index_rejected: [count(sql`search_outbox where error is not null`), sql`null::float`],
    embeddings: [count(sql`embedding_queue where error is null`), sql`null::float`],
    embeddings_failed: [count(sql`embedding_queue where error is not null`), sql`null::float`],
    webhooks: [
      count(sql`webhook_deliveries where next_attempt_time is not null`),
      sql`(select extract(epoch from now() - min(created_time)) from (
        select created_time from webhook_deliveries where next_attempt_time is not null limit ${sql.lit(MAX_COUNTED)}) as due)::float`,
    ],
  };
  const selects = Object.entries(queues).map(
    ([queue, [counted, age]]) =>
      sql`select ${sql.lit(queue)} as queue, ${counted} as count, ${age} as oldest_age`,
  );
  const { rows } = await sql<QueueBacklog>`${sql.join(selects, sql` union all `)}`.execute(db);
  // They have changes of tenants where those are, which is no place for other queues.
  const postings = await sql<QueueBacklog>`
    select 'postings' as queue, ${count(sql`posting_changes`)} as count, null::float as oldest_age
  `.execute(db);
  const messages = await sql<QueueBacklog>`
    select 'messages' as queue, ${count(sql`message_changes`)} as count, null::float as oldest_age
  `.execute(db);
  return [...rows, ...postings.rows, ...messages.rows];
}

async function countTenantsAtQuota(db: Queryable, quotas: TenantLimits): Promise<Backlogs['quotas']> {
  const names = Object.keys(USED) as (keyof typeof USED)[];
  const limited = names.filter((name) => quotas[name] !== undefined);
  const selects = limited.flatMap((name) => {
    const [label, column, table] = USED[name];
    return THRESHOLDS.map(
      (atLeast) => sql`
        select ${sql.lit(label)} as resource, ${sql.lit(atLeast)} as at_least, count(*) as tenants
        from ${sql.table(table)} where ${sql.ref(column)} >= ${quotas[name]} * ${atLeast}::numeric`,
    );
  });
  if (selects.length === 0) return [];
  const { rows } = await sql<Backlogs['quotas'][number]>`${sql.join(selects, sql` union all `)}`.execute(db);
  return rows;
}
