import { setTimeout as delay } from 'node:timers/promises';
import { SMALL_SEGMENT } from '../../../src/search/postgres/postings/choose-merge.js';
import type { Sql } from './database.js';

/** Without any progress. */
const PATIENCE_MS = 300_000;
const POLL_MS = 500;
const LOG_INTERVAL_MS = 10_000;
/** Longer pauses between attempts are not waited for: their end is moved. */
const LONGEST_WAIT = "interval '5 s'";

/** What is still to be done, by what it is. */
const PENDING = `
  select
    (select count(*)::int from documents where status in ('created', 'processing') and source <> 'none') as documents,
    (select count(*)::int from processing_jobs) as jobs,
    (select count(*)::int from webhook_deliveries as d join webhook_subscriptions as s on s.id = d.subscription_id
     where d.next_attempt_time is not null and s.enabled) as deliveries,
    (select count(*)::int from search_outbox) as indexing,
    (select count(*)::int from posting_changes) as postings,
    (select count(*)::int from message_changes) as messages,
    (select count(*)::int from posting_segments where dead > 0 and length <= ${SMALL_SEGMENT}) as merges,
    (select count(*)::int from user_erasures where finished_time is null) as erasures,
    (select count(*)::int from tenant_usage_changes) as usage,
    (select count(*)::int from search_index where filling or rebuild is not null) as fillings`;

/** Attempts that wait for the end of a long pause. */
const HURRY = [
  `update processing_jobs set next_attempt_time = now() where next_attempt_time > now() + ${LONGEST_WAIT}`,
  `update webhook_deliveries set next_attempt_time = now()
   where attempts > 0 and claim is null and next_attempt_time > now() + ${LONGEST_WAIT}`,
  `update webhook_subscriptions set held_until = null where held_until > now() + ${LONGEST_WAIT}`,
];

export interface Drained {
  seconds: number;
  /** Pauses whose end was moved. */
  hurried: number;
  /** What was left in the end; empty where everything was done. */
  left: Record<string, number>;
}

/** Waits until nothing is left to be done. Nobody helps, but that long pauses are over at once. */
export async function drain(sql: Sql, log: (line: string) => void): Promise<Drained> {
  const began = performance.now();
  let [hurried, before, changedAt, loggedAt] = [0, '', began, 0];
  for (;;) {
    const [pending] = await sql.select<Record<string, number>>(PENDING);
    const left = Object.fromEntries(Object.entries(pending ?? {}).filter(([, count]) => count > 0));
    const described = Object.entries(left)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ');
    const seconds = Math.round((performance.now() - began) / 1_000);
    if (described === '') return { seconds, hurried, left };
    if (described !== before) [before, changedAt] = [described, performance.now()];
    if (performance.now() - loggedAt > LOG_INTERVAL_MS) {
      log(`waiting for ${described}`);
      loggedAt = performance.now();
    }
    if (performance.now() - changedAt > PATIENCE_MS) return { seconds, hurried, left };
    for (const statement of HURRY) hurried += (await sql.select(`${statement} returning 1`)).length;
    await delay(POLL_MS);
  }
}
