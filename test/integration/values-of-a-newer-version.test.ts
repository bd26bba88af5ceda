import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { createFixtures } from './matrix/fixtures.js';
import { endpoints, procedures, send } from './matrix/operations.js';
import type { Target } from './matrix/requests.js';
import { CONVERSATIONS, DOCUMENTS } from './support/rest-client.js';

/* While a release is rolled out, the newer version may have written statuses and kinds that this one does not know. */

// Without workers, which would tend the job.
const app = useApp({ role: 'api' });

interface TimesOfTable {
  table: string;
  names: string[];
}
let times: TimesOfTable[];
beforeAll(async () => {
  ({ rows: times } = await sql<TimesOfTable>`
    select c.table_name::text as table, array_agg(c.column_name::text) as names from information_schema.columns as c
    join information_schema.tables as t using (table_schema, table_name)
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'timestamp with time zone'
      and c.table_name not like 'audit_events%' and exists (
        select from information_schema.columns as k where k.table_name = c.table_name and k.column_name = 'tenant_id')
    group by c.table_name
  `.execute(app.db));
});

/** A tenant whose rows have a time that no date is of in each column that takes one. */
async function createEndlessWorld(time = 'infinity'): Promise<Target> {
  const { own } = await createFixtures(app.db);
  for (const { table, names } of times) {
    const changes = names.map((name) => sql`${sql.ref(name)} = ${time}`);
    await sql`update ${sql.table(table)} set ${sql.join(changes)} where tenant_id = ${own.tenant}`.execute(
      app.db,
    );
  }
  return own;
}

/** A tenant whose rows have a value of no version in each column of a fixed set. */
async function createWorld(): Promise<Target> {
  const { own } = await createFixtures(app.db);
  const { tenant, document } = own;
  const error = JSON.stringify({ code: 'novel', stage: 'novel', message: 'New.', retryable: true });
  const warning = { code: 'novel', file: null, pages: [], pageCount: 0, names: [], nameCount: 0 };
  for (const statement of [
    sql`update conversations set status = 'novel' where tenant_id = ${tenant}`,
    sql`insert into conversation_status_changes (tenant_id, tenant_unit_id, conversation_id, from_status, to_status, changed_time)
      values (${tenant}, ${own.unit}, ${own.conversation}, 'novel', 'novel', now())`,
    sql`update conversation_reviews set verdict = 'novel' where tenant_id = ${tenant}`,
    sql`update members set role = 'novel' where tenant_id = ${tenant}`,
    sql`update retention_rules set statuses = '{novel,running}' where tenant_id = ${tenant}`,
    sql`update documents set status = 'novel', stage = 'novel', document_type = 'novel', storage_type = 'novel',
      source = 'novel', chunking = '{"size":99999,"novel":true}', extraction = 'novel', error = ${error}, warnings = ${JSON.stringify([warning])} where tenant_id = ${tenant}`,
    sql`update chunks set status = 'novel' where tenant_id = ${tenant}`,
    sql`update webhook_subscriptions set event_types = '{novel,document.ready}' where tenant_id = ${tenant}`,
    sql`update webhook_deliveries set event_type = 'novel' where tenant_id = ${tenant}`,
    sql`update api_keys set scopes = '{novel,search}' where tenant_id = ${tenant}`,
    sql`insert into processing_jobs (tenant_id, document_id, lane, next_attempt_time)
      values (${tenant}, ${document}, 'novel', now() + interval '1 day')`,
    sql`insert into audit_events (tenant_id, tenant_unit_id, action, subject_type, subject_id)
      values (${tenant}, ${own.unit}, 'novel.do', 'novel', '1')`,
    sql`update evaluation_runs set modes = '{novel}', engines = '{novel}', asked_mode = 'novel' where tenant_id = ${tenant}`,
    sql`update evaluation_questions set language = 'novel' where tenant_id = ${tenant}`,
  ]) {
    await statement.execute(app.db);
  }
  return own;
}

describe.each([
  ...endpoints.map((one) => [`REST ${one.title}`, one] as const),
  ...procedures.map((one) => [`tRPC ${one.title}`, one] as const),
])('%s', (_, { row, toRequest }) => {
  test.each([
    ['statuses and kinds', createWorld],
    ['times', createEndlessWorld],
  ])('answers with %s', async (_, create) => {
    const answer = await send(app.address, toRequest(row ? row(await create()) : {}));
    expect(answer.status, answer.body).toBeLessThan(500);
    expect(answer.body).not.toContain('INTERNAL_SERVER_ERROR');
  });
});

test.each([
  ['infinity', '9999-12-31T23:59:59.999Z'],
  ['294276-01-01', '9999-12-31T23:59:59.999Z'],
  ['2026-11-24 10:00:00.5+00', '2026-11-24T10:00:00.500Z'],
  ['4713-01-01 BC', '0001-01-01T00:00:00.000Z'],
  ['-infinity', '0001-01-01T00:00:00.000Z'],
])('the time %s is answered as %s', async (time, expected) => {
  const { tenant, conversation } = await createEndlessWorld(time);
  const { status, body } = await app.get(`${CONVERSATIONS}/${conversation}`, { tenant_id: tenant });
  expect({ status, created: body.created_time }).toEqual({ status: 200, created: expected });
});

test('they are unknown over tRPC', async () => {
  const own = await createWorld();
  const scope = { tenantId: own.tenant, tenantUnitId: own.unit };
  const { document: documentId, conversation: conversationId } = own;
  const trpc = app.trpc();
  const documents = await trpc.documents.list.query({ scope });
  expect(documents.items).toHaveLength(2);
  for (const one of [...documents.items, await trpc.documents.get.query({ scope, documentId })]) {
    expect(one).toMatchObject({
      status: 'unknown',
      stage: 'unknown',
      documentType: 'unknown',
      storageType: 'unknown',
      error: { code: 'novel', stage: 'unknown' },
      chunking: { size: 99_999 },
      extraction: 'unknown',
      warnings: [{ code: 'unknown' }],
    });
  }
  expect(documents.items[0]?.source).toBe('unknown');
  expect((await trpc.conversations.list.query({ scope })).items).toMatchObject([{ status: 'unknown' }]);
  expect((await trpc.conversations.statusHistory.query({ scope, conversationId })).items).toMatchObject([
    { fromStatus: 'unknown', toStatus: 'unknown' },
  ]);
  expect((await trpc.conversations.reviews.query({ scope, conversationId })).items).toMatchObject([
    { verdict: 'unknown' },
  ]);
  expect((await trpc.chunks.list.query({ scope, documentId })).items).toMatchObject([{ status: 'unknown' }]);
  const { items: deliveries } = await trpc.webhooks.deliveries.query({ scope, webhookId: own.webhook });
  expect(deliveries).toMatchObject([{ eventType: 'unknown' }]);
  expect((await trpc.overview.queue.query({ scope })).next).toMatchObject([{ lane: 'unknown' }]);
  expect((await trpc.audit.list.query({ scope })).items).toMatchObject([{ subjectType: 'unknown' }]);
  const { body } = await send(app.address, {
    method: 'GET',
    route: `/trpc/documents.progress?input=${encodeURIComponent(JSON.stringify({ scope, documentIds: [documentId] }))}`,
  });
  expect(body).toMatch(/"status":"unknown".*"stage":"unknown"/);
  expect(body).not.toMatch(/"(status|stage)":"novel"/);
});

test('they are unknown over REST', async () => {
  const own = await createWorld();
  const { body: documents } = await app.get(DOCUMENTS, { tenantId: own.tenant });
  expect(documents.data).toHaveLength(2);
  const unknown = { status: 'unknown', documentType: 'unknown', storageType: 'unknown' };
  for (const one of documents.data) expect(one).toMatchObject(unknown);
  const { body: conversations } = await app.get(CONVERSATIONS, { tenant_id: own.tenant });
  expect(conversations.data).toMatchObject([{ status: 'unknown' }]);
});

test('nobody can set them', async () => {
  const own = await createWorld();
  const scope = { tenantId: own.tenant, tenantUnitId: own.unit };
  const ref = { scope, documentId: own.document };
  const trpc = app.trpc();
  const status = 'unknown' as 'active';
  const documentType = 'unknown' as 'UnstructuredFile';
  const invalid = { data: { httpStatus: 422 } };
  await expect(trpc.chunks.setStatus.mutate({ ...ref, chunkId: own.chunk, status })).rejects.toMatchObject(
    invalid,
  );
  await expect(trpc.chunks.list.query({ ...ref, statuses: [status] })).rejects.toMatchObject(invalid);
  await expect(trpc.documents.create.mutate({ scope, documentType })).rejects.toMatchObject(invalid);
  const extraction = 'unknown' as 'auto';
  await expect(trpc.documents.update.mutate({ ...ref, extraction })).rejects.toMatchObject(invalid);
});
