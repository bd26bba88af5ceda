import { sql } from 'kysely';
import { formatSpan } from '../../shared/format.js';
import { type Finding, ofTables, ok, warning } from '../check.js';

/** Longer than leases are, with those who take over. */
const DEAD_SECONDS = 60;
const LONG_SECONDS = 900;
const WORKER = 'Start a worker: lectern serve, or one with --role worker.';

export const checkDocuments = ofTables('documents', async ({ db }) => {
  const { rows } = await sql<{ waiting: number; running: number; held: number; oldestAge: number }>`
    select count(*) filter (where lease_owner is null)::integer as waiting,
      count(*) filter (where lease_owner is not null)::integer as running,
      count(*) filter (where lease_expires_time < now() - ${DEAD_SECONDS} * interval '1 s')::integer as held,
      coalesce(extract(epoch from now() - min(queued_time) filter (
        where lease_owner is null and next_attempt_time is null)), 0)::float as oldest_age
    from processing_jobs
  `.execute(db);
  const { waiting, running, held, oldestAge } = rows[0] as (typeof rows)[0];
  if (held > 0) {
    return warning(`Documents whose workers died, and that none has taken over: ${held}.`, WORKER);
  }
  if (oldestAge > LONG_SECONDS) {
    const age = formatSpan(oldestAge * 1_000);
    const said = `Documents that wait to be processed: ${waiting}, the oldest for ${age}.`;
    return warning(said, running > 0 ? 'Start more workers, or raise INGEST_CONCURRENCY.' : WORKER);
  }
  return ok(`Documents that wait to be processed: ${waiting}; under way: ${running}.`);
});

export const checkWebhooks = ofTables('webhooks', async ({ db }) => {
  const { rows } = await sql<{ paused: number; failing: number; overdue: number }>`
    select count(*) filter (where paused_time is not null)::integer as paused,
      count(*) filter (where paused_time is null and failures > 0)::integer as failing,
      (select count(*)::integer from (
        select from webhook_deliveries as d join webhook_subscriptions as s
          on s.tenant_id = d.tenant_id and s.id = d.subscription_id
        where s.enabled and s.held_until is null
          and d.next_attempt_time < now() - ${LONG_SECONDS} * interval '1 s' limit 10000) as late) as overdue
    from webhook_subscriptions where enabled
  `.execute(db);
  const { paused, failing, overdue } = rows[0] as (typeof rows)[0];
  const findings: Finding[] = [];
  if (paused + failing > 0) {
    findings.push(
      warning(
        `Webhooks whose consumers fail: ${paused + failing}; paused: ${paused}.`,
        'The screen Webhooks of the console shows what they answer; resume them when they are repaired.',
      ),
    );
  }
  if (overdue > 0) findings.push(warning(`Deliveries that are overdue: ${overdue}.`, WORKER));
  return findings.length > 0 ? findings : ok('None fails, and nothing is overdue.');
});
