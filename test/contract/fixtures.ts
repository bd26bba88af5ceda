import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { useApp } from '../support/app.js';

type App = ReturnType<typeof useApp>;

/** The ids that a request names. */
export interface RequestTarget {
  tenant: string;
  unit: string;
  conversationId: string;
  documentId: string;
  chunkId: string;
  agentId: string;
  /** The id of a document to be created; made by the server where undefined. */
  newDocumentId: string | undefined;
  /** The external id of a document to be created. */
  externalId: string;
}

/** What requests are made against: one tenant of its own with a conversation, a document and its chunk. */
export interface Fixtures extends RequestTarget {
  messageIds: string[];
}

export const CONTENT = '# Refunds\n\nA refund is paid within thirty days after the goods came back.';
export const DATASET = 'faq';
export const USER = 'ana';

export async function createFixtures(app: App): Promise<Fixtures> {
  const [tenant, unit, agentId] = [`tenant-${randomUUID()}`, 'support', randomUUID()];
  const headers = { 'x-user-id': USER };
  const { body: conversation } = await app.request('POST', '/admin/api/v2/conversations', {
    query: { tenant_id: tenant, tenant_unit_id: unit },
    body: {
      topic: 'Refund for order 1042',
      agent_id: agentId,
      inputs: { order: '1042' },
      assignment_id: 'desk-1',
    },
    headers,
  });
  const messageIds = await insertMessages(app, { tenant, unit, agentId, conversationId: conversation.id });
  const { body: document } = await app.request('POST', '/admin/api/v1/documents', {
    query: { tenantId: tenant, datasetIds: JSON.stringify([DATASET]) },
    body: {
      tenantId: tenant,
      tenantUnitId: unit,
      documentType: 'UnstructuredFile',
      documentName: 'refunds.md',
      title: 'Refunds',
      customProperties: { department: 'sales' },
      documentContent: CONTENT,
    },
    headers,
  });
  await app.settle();
  const { body: chunks } = await app.get(`/admin/api/v1/api/v1/documents/${document.id}/documentChunks/`, {
    tenantId: tenant,
  });
  return {
    tenant,
    unit,
    agentId,
    conversationId: conversation.id,
    messageIds,
    documentId: document.id,
    chunkId: chunks.data[0].id,
    newDocumentId: `guide/${tenant}`,
    externalId: 'handbook/7',
  };
}

async function insertMessages(
  app: App,
  { tenant, unit, agentId, conversationId }: Pick<Fixtures, 'tenant' | 'unit' | 'agentId' | 'conversationId'>,
): Promise<string[]> {
  const ids = [randomUUID(), randomUUID()];
  const rows = ids.map((id, place) => ({
    id,
    tenantId: tenant,
    tenantUnitId: unit,
    conversationId,
    agentId,
    userId: USER,
    runId: 'run-1',
    messageFrom: place === 0 ? 'user' : 'agent',
    content: place === 0 ? 'Where is my refund?' : 'On its way.',
    requestedTime: new Date(Date.UTC(2026, 0, 2, 3, 4, 5 + place)),
    // Rows without a number get one in the background, which would be a change of the stored state.
    sequence: place + 1,
  }));
  await app.db.insertInto('messages').values(rows).execute();
  await app.db
    .updateTable('conversations')
    .set({ messageSequence: rows.length })
    .where('tenantId', '=', tenant)
    .where('id', '=', conversationId)
    .execute();
  return ids;
}

/** Usage moves from one table into the other in the background: what counts is their sum. */
const SUMS: Record<string, string> = {
  tenant_usage: `(
    select tenant_id, sum(documents), sum(chunks), sum(bytes)
    from (select tenant_id, documents, chunks, bytes from tenant_usage
          union all select tenant_id, documents, chunks, bytes from tenant_usage_changes) as parts
    group by tenant_id having sum(documents) <> 0 or sum(chunks) <> 0 or sum(bytes) <> 0)`,
};

/** Left out, with the postings of the search index: they change at any time, also while requests are refused. */
const WRITTEN_IN_BACKGROUND = [
  'tenant_usage_changes',
  'list_changes',
  'activity_minutes',
  'dataset_searches',
  'message_changes',
  'message_terms',
  'conversation_counts',
  'conversation_days',
];

/** Everything that is stored: each table's rows as a number and a checksum, and the files. */
export async function readState(app: App): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'
      and table_name <> all(${WRITTEN_IN_BACKGROUND}) and table_name not like 'posting%'
    order by name
  `.execute(app.db);
  const parts = tables.map(
    ({ name }) => sql`
      select ${name}::text as name, count(*)::int as count,
        md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as checksum
      from ${sql.raw(SUMS[name] ?? name)} as t`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(parts, sql` union all `)}`.execute(app.db);
  return { tables: rows, files: await listFiles(app.dataDir) };
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
