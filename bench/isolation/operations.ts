import { Readable } from 'node:stream';
import { Kysely, type KyselyPlugin, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { camelCaseNames } from '../../db/camel-case-names.js';
import type { Database, Schema } from '../../db/schema.js';
import { tenantQueryGuard } from '../../db/tenant-isolation/query-guard/query-guard.js';
import { jobQueue } from '../../src/ingestion/jobs/job-queue.js';
import { createConversations } from '../../src/services/conversations/conversations.js';
import { createDocuments } from '../../src/services/documents/documents.js';
import { createQuotas } from '../../src/services/shared/quotas.js';
import { createWriteTransaction } from '../../src/services/shared/write-transaction.js';

/** A service call, with and without row-level security. */
export interface ComparedCall {
  name: string;
  guarded: () => Promise<unknown>;
  bare: () => Promise<unknown>;
}

const SCOPE = { tenantId: 'tenant 1', tenantUnitId: 'unit' };
const TENANTS = 20;
const ROWS = 1_000;
const TEXT = 'Goods can be returned within 30 days of delivery. '.repeat(20);
const actor = { userId: 'bench' };
const statuses = ['running', 'succeeded'] as const;

/** Fills the database, and gives the calls to be compared. */
export async function prepareOperations(pool: pg.Pool): Promise<ComparedCall[]> {
  const bare = createServices(databaseOn(pool));
  const plugin = createServices(databaseOn(pool, { plugins: [tenantQueryGuard()] }));
  const plain = createServices(databaseOn(pool, { plugins: [tenantQueryGuard()], isPlain: true }));
  await fill(databaseOn(pool));
  let count = 0;
  const ref = (kind: string) => `${kind} ${1 + (count++ % ROWS)} of ${SCOPE.tenantId}`;
  const getDocument = ({ documents }: Services) =>
    documents.get({ scope: SCOPE, documentId: ref('document') });
  const getConversation = ({ conversations }: Services) =>
    conversations.get({ scope: SCOPE, conversationId: ref('conversation') });
  const setStatus = ({ conversations }: Services) =>
    conversations.setStatus(
      { scope: SCOPE, conversationId: ref('conversation'), status: statuses[count % 2] ?? 'running' },
      actor,
    );
  const createDocument = ({ documents }: Services) =>
    documents.create(
      { scope: SCOPE, documentType: 'UnstructuredFile', documentContent: TEXT, datasetIds: ['dataset'] },
      actor,
    );
  return [
    { name: 'documents.get', guarded: () => getDocument(plugin), bare: () => getDocument(bare) },
    { name: 'conversations.get', guarded: () => getConversation(plugin), bare: () => getConversation(bare) },
    { name: 'conversations.setStatus', guarded: () => setStatus(plugin), bare: () => setStatus(plain) },
    { name: 'documents.create', guarded: () => createDocument(plugin), bare: () => createDocument(plain) },
  ];
}

type Services = ReturnType<typeof createServices>;

function createServices(db: Database) {
  const clock = () => new Date();
  const maxPageSize = 100;
  const writeTransaction = createWriteTransaction(db);
  return {
    conversations: createConversations({
      db,
      writeTransaction,
      clock,
      defaultTenantUnit: SCOPE,
      maxPageSize,
    }),
    documents: createDocuments({
      db,
      writeTransaction,
      clock,
      files: { claim: noFiles, findUnclaimed: noFiles, release: async () => {} },
      jobs: jobQueue,
      quotas: createQuotas({ documents: undefined, chunks: undefined, bytes: undefined }),
      maxPageSize,
      readSitemap: async () => ({ urls: [], tooLong: [], truncated: false }),
      makePreview: () => Promise.reject(new Error('No previews here.')),
      readSourceText: async () => 'unreadable',
      storage: { read: () => Readable.from([]) },
      stopping: new AbortController().signal,
    }),
  };
}

const noFiles = () => Promise.reject(new Error('No files here.'));

/** @param options.isPlain whether transactions for a tenant begin like any other, without row-level security */
function databaseOn(
  pool: pg.Pool,
  { plugins = [], isPlain = false }: { plugins?: KyselyPlugin[]; isPlain?: boolean } = {},
): Database {
  const textOf = (text: string) => (isPlain && text.startsWith('begin;') ? 'begin' : text);
  const connections = {
    async connect() {
      const client = await pool.connect();
      return {
        query: (text: string, values: unknown[]) => client.query(textOf(text), values),
        release: () => client.release(),
      };
    },
    end: async () => {},
  };
  const dialect = new PostgresDialect({ pool: connections as unknown as pg.Pool });
  return new Kysely<Schema>({ dialect, plugins: [camelCaseNames, ...plugins] });
}

async function fill(db: Database): Promise<void> {
  const rows = sql`from generate_series(1, ${TENANTS}::int) as tenant, generate_series(1, ${ROWS}::int) as n`;
  await sql`
    insert into conversations (id, tenant_id, tenant_unit_id, agent_id, user_id, agent_mode, created_time, updated_time)
    select format('conversation %s of tenant %s', n, tenant), 'tenant ' || tenant, 'unit', 'agent', 'user', 'chat', now(),
      now()
    ${rows}
  `.execute(db);
  await sql`
    insert into documents (id, tenant_id, tenant_unit_id, document_type, source, status, created_time, updated_time)
    select format('document %s of tenant %s', n, tenant), 'tenant ' || tenant, 'unit', 'UnstructuredFile', 'content',
      'ready', now(), now()
    ${rows}
  `.execute(db);
  await sql`
    insert into document_sources (tenant_id, tenant_unit_id, document_id, content)
    select tenant_id, tenant_unit_id, id, ${TEXT}::text from documents
  `.execute(db);
  await sql`analyze`.execute(db);
}
