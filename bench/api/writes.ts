import { sql } from 'kysely';
import { advisoryLockKey } from '../../db/advisory-locks.js';
import type { Database } from '../../db/schema.js';
import type { Question } from './question.js';
import { type ComparedRequest, compareCpu } from './support/compare-cpu.js';
import { chunkId, documentId, TENANT } from './support/fill-tenant.js';
import type { MeasuredServer } from './support/measured-server.js';
import { BY_HAND } from './support/rivals.js';
import { withServers } from './support/with-servers.js';

const targets = { [BY_HAND.name]: { atMost: 1.6 } };

const WORDS = 'Goods can be returned within 30 days of delivery, if they are unused and complete.';

/** What one server writes can be told from what the other does. */
const headersOf = (what: string, n: number, { name }: MeasuredServer) => ({
  'x-user-id': name,
  'idempotency-key': `${name} ${what}-${n}`,
});

const requests: ComparedRequest[] = [
  {
    what: 'POST of a conversation',
    async send(http, n, server) {
      const { body, headers } = await http.send(
        'POST',
        `/admin/api/v2/conversations?tenant_id=${TENANT}`,
        {
          topic: `Refund for order ${n}`,
          inputs: { order: n, channel: 'web' },
          assignment_id: 'assignment-1',
        },
        headersOf('create', n, server),
      );
      const differing = ['id', 'user_id', 'created_by', 'updated_by', 'created_time', 'updated_time'];
      const fields = Object.entries(body as Record<string, unknown>).map(([name, value]) =>
        differing.includes(name) ? [name, typeof value] : [name, value],
      );
      return { fields: Object.fromEntries(fields), etag: headers.etag };
    },
    targets,
  },
  {
    what: 'PATCH of the text of a chunk',
    async send(http, n, server) {
      // Each server changes chunks of its own.
      const chunk = 2 * n + (server.name === BY_HAND.name ? 1 : 0);
      const { body } = await http.send(
        'PATCH',
        `/admin/api/v1/api/v1/documents/${documentId(chunk)}/documentChunks/${chunkId(chunk)}?tenantId=${TENANT}`,
        { content: `${WORDS} Version ${n}. `.repeat(8) },
        headersOf('edit', n, server),
      );
      return body;
    },
    targets,
  },
];

export const writes: Question = {
  name: 'writes',
  title: 'CPU of the server a write with audit log, events and Idempotency-Key',
  measure: (options) =>
    withServers([BY_HAND], async (servers) => {
      const comparisons = [];
      for (const request of requests) {
        const compared = await withoutMerges(servers.db, () => compareCpu(request, servers, options));
        comparisons.push(...compared);
      }
      await assertSameEffects(servers.db);
      return comparisons;
    }),
};

/** Changed chunks are not merged into the search index meanwhile: the service would do it for its rival, too. */
async function withoutMerges<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (session) => {
    const lock = advisoryLockKey('postings', [TENANT]);
    await sql`select pg_advisory_lock(${lock}::bigint)`.execute(session);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${lock}::bigint)`.execute(session);
    }
  });
}

/** @throws Error if one server has left fewer rows than the other */
async function assertSameEffects(db: Database): Promise<void> {
  const { rows } = await sql<{ what: string; ours: number; theirs: number }>`
    with effects as (
      select 'conversations' as what, created_by as server from conversations where tenant_id = ${TENANT}
      union all
      select 'status changes', changed_by from conversation_status_changes where tenant_id = ${TENANT}
      union all
      select 'audited ' || action, user_id from audit_events where tenant_id = ${TENANT}
      union all
      select 'idempotency keys', substring(key from '^(.*) ') from idempotency_keys where tenant_id = ${TENANT}
      union all
      select 'webhook events', c.created_by
      from webhook_deliveries as d join conversations as c on c.id = d.subject_id where d.tenant_id = ${TENANT}
      union all
      select 'posting changes', case substring(c from '[0-9]+')::integer % 2 when 1 then 'Lectern' else ${BY_HAND.name} end
      from posting_changes, unnest(chunk_ids) as c where tenant_id = ${TENANT}
    )
    select what, count(*) filter (where server = 'Lectern') as ours,
      count(*) filter (where server = ${BY_HAND.name}) as theirs
    from effects group by what
  `.execute(db);
  const different = rows.find(({ ours, theirs }) => ours !== theirs || ours === 0);
  if (different) throw new Error(`The writes left different rows: ${JSON.stringify(different)}`);
}
