import { Readable } from 'node:stream';
import { Kysely, type KyselyPlugin, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { camelCaseNames } from '../../db/camel-case-names.js';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import type { Database, Schema } from '../../db/schema.js';
import {
  tenantQueryGuard,
  UnscopedStatementError,
} from '../../db/tenant-isolation/query-guard/query-guard.js';
import { isTenantTable, tenantTables } from '../../db/tenant-isolation/tenant-tables.js';
import { tenantTransaction } from '../../db/tenant-isolation/tenant-transaction.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { DomainError } from '../../src/errors/errors.js';
import { jobQueue } from '../../src/ingestion/jobs/job-queue.js';
import { createReadBacklogs } from '../../src/metrics/read-backlogs.js';
import { createMessageIndex } from '../../src/search/messages/search-messages.js';
import { createSearchOperations } from '../../src/search/operations/create-operations.js';
import { createPostgresEngine } from '../../src/search/postgres/engine.js';
import { createPostingCache } from '../../src/search/postgres/postings/posting-cache.js';
import { createApiKeys } from '../../src/services/api-keys/api-keys.js';
import { createAudit } from '../../src/services/audit/audit.js';
import { createChunks } from '../../src/services/chunks/chunks.js';
import { createConversations } from '../../src/services/conversations/conversations.js';
import { createMessages } from '../../src/services/conversations/messages.js';
import { newMessage } from '../../src/services/conversations/messages.schema.js';
import {
  conversationRecord,
  messageRecord,
} from '../../src/services/conversations/transfer/transfer.schema.js';
import { createTransfers } from '../../src/services/conversations/transfer/transfers.js';
import { createDatasets } from '../../src/services/datasets/datasets.js';
import { createDocuments } from '../../src/services/documents/documents.js';
import { createEvaluations } from '../../src/services/evaluations/evaluations.js';
import { createEvaluationRuns } from '../../src/services/evaluations/run-collection.js';
import { createLabels } from '../../src/services/labels/labels.js';
import { createMembers } from '../../src/services/members/members.js';
import { createOverview } from '../../src/services/overview/overview.js';
import { createReach } from '../../src/services/reach/reach.js';
import { createRetention } from '../../src/services/retention/retention.js';
import { createExplainedSearches } from '../../src/services/search/explained-search.js';
import { createSearch } from '../../src/services/search/search.js';
import { createSearchAdmin } from '../../src/services/search/search-admin.js';
import { createSearchableWaits } from '../../src/services/search/wait-until-searchable.js';
import { createSessions } from '../../src/services/sessions/sessions.js';
import type { ServerInfo } from '../../src/services/sessions/sessions.schema.js';
import { createUserSessions } from '../../src/services/sessions/user-sessions.js';
import { createQuotas } from '../../src/services/shared/quotas.js';
import { createWriteTransaction } from '../../src/services/shared/write-transaction.js';
import { createSynonymLists } from '../../src/services/synonyms/synonyms.js';
import { createUserErasures } from '../../src/services/users/erasures.js';
import { createWebhooks } from '../../src/services/webhooks/webhooks.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import {
  insertTenantRows,
  OTHER_TENANT,
  OWN_TENANT,
  removeTenantConditions,
  rowsOf,
} from './support/tenant-rows.js';

const NO_QUOTAS = { documents: undefined, chunks: undefined, bytes: undefined };

let database: TestDatabase;
let client: DatabaseClient;
/** Sees everything. */
let all: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectDatabase(database.url, { max: 5 });
  all = unscoped(client.db, 'The test looks at everything.');
  await insertTenantRows(all, OWN_TENANT);
  await insertTenantRows(all, OTHER_TENANT);
});

afterAll(async () => {
  await client?.close();
  await database?.drop();
});

/** The same connections with other plugins. */
const databaseWith = (...plugins: KyselyPlugin[]): Database =>
  new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: client.pool }),
    plugins: [camelCaseNames, ...plugins],
  });

function createServices(db: Database) {
  const clock = () => new Date();
  const maxPageSize = 100;
  const writeTransaction = createWriteTransaction(db);
  const cache = createPostingCache();
  const index = createPostgresEngine({ db, cache });
  const messageIndex = createMessageIndex({ db, cache });
  const { signal: stopping } = new AbortController();
  const refused = async () => expect.unreachable();
  const files = { claim: refused, findUnclaimed: refused, release: async () => {} };
  const defaultScope = OWN_TENANT;
  const placed = { db, writeTransaction, clock, defaultTenantUnit: defaultScope, maxPageSize };
  const conversations = createConversations(placed);
  const chunkSearch = createSearch({ db, index, maxPageSize });
  const apiKeys = createApiKeys({ db, writeTransaction, clock, maxPageSize });
  const webhooks = createWebhooks({
    db,
    writeTransaction,
    clock,
    maxPageSize,
    validateUrl: () => undefined,
  });
  const operations = createSearchOperations({ db, index, server: undefined, fallback: false });
  return {
    conversations,
    labels: createLabels({ db, writeTransaction, clock }),
    retention: createRetention({ db, writeTransaction, clock }),
    userErasures: createUserErasures({ db, writeTransaction, clock, maxPageSize }),
    members: createMembers({ db, writeTransaction, clock, maxPageSize }),
    messages: createMessages({ ...placed, searchDb: db, messageIndex, conversations, stopping }),
    transfers: createTransfers({ db, writeTransaction, clock }),
    documents: createDocuments({
      db,
      writeTransaction,
      clock,
      files,
      jobs: jobQueue,
      quotas: createQuotas({ documents: 1000, chunks: 1000, bytes: 1e9 }),
      maxPageSize,
      readSitemap: async () => ({ urls: [], tooLong: [], truncated: false }),
      makePreview: async () => ({ subType: null, chunkCount: 0, truncated: false, warnings: [], chunks: [] }),
      readSourceText: async () => 'unreadable',
      storage: { read: () => Readable.from([]) },
      stopping,
    }),
    chunks: createChunks({ db, writeTransaction, clock, extractKeywords: async () => ({}), maxPageSize }),
    search: chunkSearch,
    searchable: createSearchableWaits({ db, hasOutbox: true, stopping }),
    explainedSearches: createExplainedSearches({ search: chunkSearch, operations }),
    evaluations: createEvaluations({ db, writeTransaction, clock, maxPageSize }),
    synonyms: createSynonymLists({ db, writeTransaction, clock, maxPageSize }),
    evaluationRuns: createEvaluationRuns({ db, writeTransaction, search: chunkSearch, clock, maxPageSize }),
    searchAdmin: createSearchAdmin({ db, operations, writeTransaction, maxPageSize }),
    datasets: createDatasets({ db, clock, maxPageSize: 100 }),
    reach: createReach({ db }),
    overview: createOverview({
      db,
      clock,
      apiKeys,
      webhooks,
      operations,
      readBacklogs: createReadBacklogs(db, {}, []),
      quotas: { ...NO_QUOTAS, embeddedTokens: undefined, extractedPages: undefined },
    }),
    audit: createAudit({ db, maxPageSize }),
    apiKeys,
    sessions: createSessions({
      db,
      writeTransaction,
      clock,
      server: {} as ServerInfo,
      users: createUserSessions({
        db,
        writeTransaction,
        clock,
        signIn: { endSessionUrl: async () => undefined },
      }),
    }),
    webhooks,
  };
}
type Services = ReturnType<typeof createServices>;
type Call = (services: Services) => Promise<unknown>;

const scope = { tenantId: OWN_TENANT.tenantId };
const page = { page: 1, pageSize: 10 };
const actor = { userId: 'user' };
const conversationId = 'conversation of theirs';
const messageId = 'message of theirs';
const documentId = 'document of theirs';
const chunkId = 'chunk of theirs';
const chunk = { scope, documentId, chunkId };
const chunks = { scope, documentId, chunkIds: [chunkId] };
const keyId = 'key of theirs';
const access = {
  tenantId: OWN_TENANT.tenantId,
  keyId,
  permissions: [],
  tenantUnitIds: null,
  datasetIds: null,
  expiresTime: null,
};
const webhook = { scope, webhookId: 'webhook of theirs' };
const search = {
  scope: OWN_TENANT,
  datasetIds: ['dataset'],
  query: 'parcels',
  topK: 5,
  language: 'english' as const,
};
const judged = { scope: OWN_TENANT, collection: OTHER_TENANT.tenantId };
const questionId = 'question of theirs';
const appended = newMessage.parse({ id: 'new', messageFrom: 'user', content: 'taken' });
const time = '2026-01-01T00:00:00Z';
const imported = conversationRecord.parse({
  id: 'imported',
  tenantUnitId: OWN_TENANT.tenantUnitId,
  agentId: 'a',
  userId: 'u',
  createdTime: time,
  updatedTime: time,
});
const importedMessage = messageRecord.parse({
  ...appended,
  id: 'imported',
  agentId: 'a',
  userId: 'u',
  runId: 'r',
  requestedTime: time,
});
const part = { messageId: 'new', part: 0, text: 'taken', message: appended };
const rule = { agentId: null, statuses: null, exemptLabels: [], keepDays: 1 };
const memberOfTheirs = { scope, memberId: 'member of theirs' };
const everywhere = { tenantUnitIds: null, datasetIds: null };
const synonymsId = 'synonyms of theirs';
const documentType = 'UnstructuredFile' as const;

/** What shows rows. Each call asks within our tenant for what is theirs. */
const reads: Record<string, Call> = {
  'conversations.list': (s) => s.conversations.list({ scope, ...page, order: 'recent' }),
  'labels.list': (s) => s.labels.list({ scope }),
  'retention.list': (s) => s.retention.list({ scope }),
  'retention.preview': (s) => s.retention.preview({ scope, ...rule }),
  'members.list': (s) => s.members.list({ scope, ...page }),
  'members.get': (s) => s.members.get({ scope, memberId: 'member of theirs' }),
  'userErasures.get': (s) => s.userErasures.get({ scope, erasureId: 'erasure of theirs' }),
  'userErasures.list': (s) => s.userErasures.list({ scope, ...page }),
  'conversations.get': (s) => s.conversations.get({ scope, conversationId }),
  'conversations.facets': (s) => s.conversations.facets({ scope }),
  'conversations.statusHistory': (s) => s.conversations.statusHistory({ scope, conversationId, ...page }),
  'conversations.reviews': (s) => s.conversations.reviews({ scope, conversationId, ...page }),
  'conversations.nextForReview': (s) => s.conversations.nextForReview({ scope }),
  'transfers.exportPage': (s) => s.transfers.exportPage({ scope, conversationId, format: 'ndjson' }),
  'messages.list': (s) => s.messages.list({ scope, conversationId, ...page, order: 'oldest' }),
  'messages.search': (s) =>
    s.messages.search({ scope, query: 'theirs', language: 'english', limit: 20, userId: 'user' }),
  'messages.follow': async (s) => {
    const events = await s.messages.follow({ scope, conversationId, last: 20 }, AbortSignal.timeout(60_000));
    return (await events.next()).value;
  },
  'documents.get': (s) => s.documents.get({ scope, documentId }),
  'documents.getMany': (s) => s.documents.getMany({ scope, documentIds: [documentId] }),
  'documents.list': (s) => s.documents.list({ scope, ...page }),
  'documents.watch': async (s) => {
    const seen: unknown[] = [];
    const watched = s.documents.watch({ scope, documentIds: [documentId] }, AbortSignal.timeout(60_000));
    for await (const progress of watched) {
      seen.push(progress);
      if ((progress as { status: string }).status !== 'deleted') break;
    }
    return seen.map((progress) => ({ ...(progress as object), documentId: undefined }));
  },
  'documents.history': (s) => s.documents.history({ scope, documentId, ...page }),
  'documents.sourceText': (s) => s.documents.sourceText({ scope, documentId, page: 1, pages: 1 }),
  'documents.readSource': (s) => s.documents.readSource({ scope, documentId, offset: 0, length: 1 }),
  'datasets.list': (s) => s.datasets.list({ scope, ...page, order: 'name', direction: 'asc' }),
  'chunks.list': (s) => s.chunks.list({ scope, documentId, ...page }),
  'search.search': (s) => s.search.search(search),
  'searchable.waitUntilSearchable': (s) =>
    s.searchable.waitUntilSearchable({ scope, documentId, seconds: 0 }),
  'searchAdmin.explain': (s) => s.searchAdmin.explain({ ...search, chunk: { documentId, chunkId } }),
  'explainedSearches.run': (s) => s.explainedSearches.run(search),
  'evaluations.list': (s) => s.evaluations.list(judged),
  'evaluations.questions': (s) => s.evaluations.questions({ ...judged, ...page }),
  'evaluationRuns.run': (s) => s.evaluationRuns.run(judged, actor),
  'evaluations.runs': (s) => s.evaluations.runs(judged),
  'synonyms.list': (s) => s.synonyms.list({ scope: OWN_TENANT, ...page }),
  'synonyms.export': (s) => s.synonyms.export({ scope: OWN_TENANT }),
  'overview.get': (s) => s.overview.get({ scope }),
  'overview.attention': (s) => s.overview.attention({ scope }),
  'overview.usage': (s) => s.overview.usage({ scope }),
  'overview.rates': (s) => s.overview.rates({ scope, period: 'hour' }),
  'overview.conversations': (s) => s.overview.conversations({ scope }),
  'overview.queue': (s) => s.overview.queue({ scope }),
  'reach.units': (s) => s.reach.units({ scope, prefix: '', limit: 10 }),
  'reach.datasets': (s) => s.reach.datasets({ scope, prefix: '', limit: 10, countUpTo: 1 }),
  'reach.unitDatasets': (s) => s.reach.unitDatasets({ scope, order: 'asc', limit: 10, countUpTo: 1 }),
  'audit.list': (s) => s.audit.list({ scope, ...page, subjectId: documentId }),
  'apiKeys.list': (s) => s.apiKeys.list({ scope, ...page }),
  'sessions.get': (s) => s.sessions.get(access),
  'webhooks.list': (s) => s.webhooks.list({ scope }),
  'webhooks.get': (s) => s.webhooks.get(webhook),
  'webhooks.deliveries': (s) => s.webhooks.deliveries({ ...webhook, ...page }),
};

/** What changes rows. */
const writes: Record<string, Call> = {
  'conversations.update': (s) => s.conversations.update({ scope, conversationId, topic: 'taken' }, actor),
  'conversations.setStatus': (s) =>
    s.conversations.setStatus({ scope, conversationId, status: 'failed' }, actor),
  'conversations.setLabels': (s) =>
    s.conversations.setLabels({ scope, conversationId, add: [], remove: ['label of theirs'] }, actor),
  'conversations.bulk': (s) =>
    s.conversations.bulk(
      { scope, filter: {}, change: { action: 'assign', assignmentId: 'me' }, limit: 10 },
      actor,
    ),
  'conversations.setLegalHold': (s) =>
    s.conversations.setLegalHold({ scope, conversationId, legalHold: true }, actor),
  'retention.create': (s) => s.retention.create({ scope, ...rule }, actor),
  'retention.update': (s) => s.retention.update({ scope, ruleId: 'rule of theirs', keepDays: 2 }, actor),
  'retention.remove': (s) => s.retention.remove({ scope, ruleId: 'rule of theirs' }, actor),
  'members.setRole': (s) => s.members.setRole({ ...memberOfTheirs, role: 'admin', ...everywhere }, actor),
  'members.remove': (s) => s.members.remove(memberOfTheirs, actor),
  'userErasures.erase': (s) => s.userErasures.erase({ scope, userId: 'user' }, actor),
  'labels.create': (s) => s.labels.create({ scope, name: 'mine', color: '#ff0000' }, actor),
  'labels.update': (s) => s.labels.update({ scope, labelId: 'label of theirs', name: 'taken' }, actor),
  'labels.remove': (s) => s.labels.remove({ scope, labelId: 'label of theirs' }, actor),
  'conversations.remove': (s) => s.conversations.remove({ scope, conversationId }, actor),
  'conversations.review': (s) =>
    s.conversations.review({ scope, conversationId, verdict: 'bad', note: 'taken' }, actor),
  'messages.setFeedback': (s) =>
    s.messages.setFeedback({ scope, conversationId, messageId, feedback: 'down', note: 'taken' }, actor),
  'messages.append': (s) =>
    s.messages.append({ scope, conversationId, messages: [appended], status: 'failed' }, actor, undefined),
  'messages.stream': (s) => s.messages.stream({ scope, conversationId, ...part }, actor, undefined),
  'transfers.import': (s) =>
    s.transfers.import(
      { scope, conversations: [{ ...imported, messages: [importedMessage] }] },
      actor,
      undefined,
    ),
  'documents.create': (s) =>
    s.documents.create({ scope: OWN_TENANT, id: documentId, documentType, datasetIds: [] }, actor),
  'documents.createMany': (s) =>
    s.documents.createMany(
      { scope: OWN_TENANT, documentType, datasetIds: [], urls: ['https://pages.test/page'] },
      actor,
    ),
  'documents.upsert': (s) =>
    s.documents.upsert(
      { scope: OWN_TENANT, externalId: 'external', documentContent: 'taken', datasetIds: ['taken'] },
      actor,
    ),
  'documents.update': (s) => s.documents.update({ scope, documentId, documentContent: 'taken' }, actor),
  'documents.setEnabled': (s) => s.documents.setEnabled({ scope, documentId, enabled: false }, actor),
  'documents.setEnabledMany': (s) =>
    s.documents.setEnabledMany({ scope, documentIds: [documentId], enabled: false }, actor),
  'documents.setDatasetsMany': (s) =>
    s.documents.setDatasetsMany(
      { scope, documentIds: [documentId], add: ['taken'], remove: ['dataset'] },
      actor,
    ),
  'documents.removeMany': (s) => s.documents.removeMany({ scope, documentIds: [documentId] }, actor),
  'documents.cancelMany': (s) => s.documents.cancelMany({ scope, documentIds: [documentId] }, actor),
  'documents.remove': (s) => s.documents.remove({ scope, documentId }, actor),
  'documents.reprocess': (s) => s.documents.reprocess({ scope, documentId, unconditional: true }, actor),
  'documents.reprocessMany': (s) =>
    s.documents.reprocessMany({ scope, documentIds: [documentId], unconditional: true }, actor),
  'documents.cancel': (s) => s.documents.cancel({ scope, documentId }, actor),
  'chunks.update': (s) => s.chunks.update({ ...chunk, content: 'taken' }, actor),
  'chunks.restore': (s) => s.chunks.restore(chunk, actor),
  'chunks.setStatus': (s) => s.chunks.setStatus({ ...chunk, status: 'inactive' }, actor),
  'chunks.setStatusMany': (s) => s.chunks.setStatusMany({ ...chunks, status: 'inactive' }, actor),
  'chunks.removeMany': (s) => s.chunks.removeMany(chunks, actor),
  'evaluations.saveQuestion': (s) =>
    s.evaluations.saveQuestion(
      {
        ...judged,
        questionId,
        query: 'taken',
        language: 'english',
        datasetIds: ['taken'],
        expected: [{ documentId, chunkId, grade: 1 }],
      },
      actor,
    ),
  'evaluations.addFromMessage': (s) =>
    s.evaluations.addFromMessage(
      {
        ...judged,
        conversationId,
        messageId,
        language: 'english',
        datasetIds: ['taken'],
        expected: [{ documentId, chunkId, grade: 1 }],
      },
      actor,
    ),
  'synonyms.save': (s) =>
    s.synonyms.save({ scope: OWN_TENANT, synonymsId, terms: ['taken', 'mine'], replacements: null }, actor),
  'synonyms.import': (s) =>
    s.synonyms.import({ scope: OWN_TENANT, text: 'own, mine', mode: 'replace' }, actor),
  'synonyms.remove': (s) => s.synonyms.remove({ scope: OWN_TENANT, synonymsId }, actor),
  'evaluations.removeQuestion': (s) => s.evaluations.removeQuestion({ scope: OWN_TENANT, questionId }, actor),
  'apiKeys.rotate': (s) => s.apiKeys.rotate({ scope, keyId, overlap: 0 }, actor),
  'apiKeys.revoke': (s) => s.apiKeys.revoke({ scope, keyId }, actor),
  'sessions.end': (s) =>
    s.sessions.end(actor, { ...access, session: { id: 'session of theirs', expiresTime: new Date() } }),
  'webhooks.update': (s) => s.webhooks.update({ ...webhook, description: 'taken' }, actor),
  'webhooks.rotateSecret': (s) => s.webhooks.rotateSecret({ ...webhook, overlapSeconds: 0 }, actor),
  'webhooks.resume': (s) => s.webhooks.resume(webhook, actor),
  'webhooks.remove': (s) => s.webhooks.remove(webhook, actor),
  'webhooks.replay': (s) => s.webhooks.replay({ ...webhook, deliveryId: 'delivery of theirs' }, actor),
  'webhooks.test': (s) => s.webhooks.test(webhook, actor),
};

/** These make something new in the tenant they are told, or concern all tenants by their nature. */
const others = [
  'documents.previewChunks',
  'conversations.create',
  'apiKeys.create',
  'apiKeys.countActive',
  'apiKeys.findTenant',
  'sessions.create',
  'sessions.createForUser',
  'reach.tenants',
  'members.roles',
  'webhooks.create',
  'searchAdmin.status',
  'searchAdmin.settings',
  'searchAdmin.tasks',
  'searchAdmin.verify',
  'searchAdmin.repair',
  'searchAdmin.createToken',
];

test('every function of every service is tried', () => {
  const services = createServices(all);
  const functions = Object.entries(services).flatMap(([name, service]) =>
    Object.keys(service).map((key) => `${name}.${key}`),
  );
  expect([...Object.keys(reads), ...Object.keys(writes), ...others].sort()).toEqual(functions.sort());
});

/** A cluster refuses many statements that name no tenant. */
const isRefusedByCluster = ({ code }: { code?: string }) =>
  process.env.CITUS_URL !== undefined && code === FEATURE_NOT_SUPPORTED;
const FEATURE_NOT_SUPPORTED = '0A000';

describe('a service that has forgotten its scope', () => {
  test.each(Object.keys({ ...reads, ...writes }))('has its statement refused: %s', async (name) => {
    const before = await rowsOf(all, OTHER_TENANT.tenantId);
    const services = createServices(databaseWith(removeTenantConditions(), tenantQueryGuard()));
    await expect({ ...reads, ...writes }[name]!(services)).rejects.toThrow(UnscopedStatementError);
    expect(await rowsOf(all, OTHER_TENANT.tenantId)).toEqual(before);
  });

  test.each(Object.keys(writes))(
    'changes nothing of others without the query guard either: %s',
    async (name) => {
      const before = await rowsOf(all, OTHER_TENANT.tenantId);
      const services = createServices(databaseWith(removeTenantConditions()));
      const result = await writes[name]!(services).catch((error) => {
        if (!(error instanceof DomainError) && !isRefusedByCluster(error)) throw error;
      });
      expect(JSON.stringify(result ?? null)).not.toMatch(
        /"tenantId":"theirs"|(chunk|key|webhook|delivery) of theirs/,
      );
      expect(await rowsOf(all, OTHER_TENANT.tenantId)).toEqual(before);
    },
  );

  // As test/citus/not-on-a-cluster.ts says.
  test.skipIf(process.env.CITUS_URL)(
    'would show and change what is theirs without tenant isolation',
    async () => {
      const bare = databaseWith(removeTenantConditions());
      const { conversations, documents } = createServices(bare);
      expect(await conversations.get({ scope, conversationId })).toMatchObject(OTHER_TENANT);
      expect(await documents.get({ scope, documentId })).toMatchObject({ documentContent: 'theirs' });
      const undone = new Error('undone');
      const change = bare.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('documents')
          .set({ title: 'taken' })
          .where('tenantId', '=', OWN_TENANT.tenantId)
          .executeTakeFirst();
        expect(numUpdatedRows).toBeGreaterThan(1n);
        throw undone;
      });
      await expect(change).rejects.toBe(undone);
    },
  );
});

describe('a transaction for one tenant', () => {
  const refused = /row-level security|permission denied|not those of/;
  const inOurs = <T>(work: (tx: Database) => Promise<T>) =>
    tenantTransaction(all, OWN_TENANT.tenantId, (tx) => work(tx as Database));
  const tenantRole = async () => {
    const { rows } = await sql<{ role: string }>`select tenant_role() as role`.execute(all);
    return rows[0]?.role;
  };

  test.each([...tenantTables])('sees its rows alone in %s', async (table) => {
    const { rows } = await inOurs((tx) =>
      sql<{ tenantId: string }>`select distinct tenant_id from ${sql.table(table)}`.execute(tx),
    );
    expect(rows).toEqual([{ tenantId: OWN_TENANT.tenantId }]);
  });

  test('does not run as a role that may look past it', async () => {
    const { rows } = await inOurs((tx) =>
      sql`select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user`.execute(
        tx,
      ),
    );
    expect(rows).toEqual([{ name: await tenantRole(), rolsuper: false, rolbypassrls: false }]);
    const { rows: after } = await sql`
      select current_user = session_user as same, current_setting('lectern.tenant_id', true) as tenant
    `.execute(all);
    expect(after).toEqual([{ same: true, tenant: expect.not.stringContaining('ours') }]);
  });

  test.each([
    ['insert', sql`insert into document_datasets values ('theirs', 'unit', 'document of theirs', 'taken')`],
    ['move', sql`update conversations set tenant_id = 'theirs' where id = 'conversation of ours'`],
    ['change of the audit trail', sql`update audit_events set action = 'other'`],
    ['deletion in the audit trail', sql`delete from audit_events`],
    ['deletion of messages', sql`delete from messages`],
    ['usage of others', sql`insert into tenant_usage_changes (tenant_id, documents) values ('theirs', 1)`],
    ['change of the usage', sql`update tenant_usage set documents = 0`],
    ['deletion in the usage', sql`delete from tenant_usage_changes`],
    ['row level security', sql`alter table documents disable row level security`],
  ])('is refused what it must not do: %s', async (_, statement) => {
    await expect(inOurs((tx) => statement.execute(tx))).rejects.toThrow(
      /row-level|permission denied|must be owner|modifying the partition value/,
    );
  });

  test('changes and deletes no row of others', async () => {
    const before = await rowsOf(all, OTHER_TENANT.tenantId);
    const { numAffectedRows } = await inOurs((tx) =>
      sql`update documents set title = 'taken' where tenant_id = 'theirs'`.execute(tx),
    );
    expect(numAffectedRows).toBe(0n);
    await inOurs((tx) => sql`delete from chunks where id = ${chunkId}`.execute(tx));
    expect(await rowsOf(all, OTHER_TENANT.tenantId)).toEqual(before);
  });

  test('enqueues for no other tenant, and drops no job of one', async () => {
    const { tenantId: theirs } = OTHER_TENANT;
    await expect(
      inOurs((tx) => jobQueue.enqueue(tx, theirs, [{ documentId, sizeBytes: 1 }])),
    ).rejects.toThrow(refused);
    const before = await rowsOf(all, OTHER_TENANT.tenantId);
    await inOurs((tx) => jobQueue.remove(tx, theirs, [documentId]));
    expect(await rowsOf(all, OTHER_TENANT.tenantId)).toEqual(before);
    await inOurs((tx) =>
      jobQueue.enqueue(tx, OWN_TENANT.tenantId, [{ documentId: 'document of ours', sizeBytes: 1 }]),
    );
  });

  test('takes a name for a name, whatever it looks like', async () => {
    const name = `'); reset role; select ('ours\\`;
    const { rows } = await tenantTransaction(all, name, (tx) =>
      sql`select current_user as role, current_setting('lectern.tenant_id') as tenant, count(*) as found from documents`.execute(
        tx,
      ),
    );
    expect(rows).toEqual([{ role: await tenantRole(), tenant: name, found: 0 }]);
  });

  test('leaves nothing behind where it fails', async () => {
    const small = connectDatabase(database.url, { max: 1 });
    try {
      const db = unscoped(small.db, 'The test looks at everything.');
      const failure = new Error('no');
      const work = tenantTransaction(db, OWN_TENANT.tenantId, async (tx) => {
        await tx.updateTable('documents').set({ title: 'lost' }).where('tenantId', '=', 'ours').execute();
        throw failure;
      });
      await expect(work).rejects.toBe(failure);
      await expect(
        tenantTransaction(db, OWN_TENANT.tenantId, (tx) => sql`select 1/0`.execute(tx)),
      ).rejects.toThrow(/zero/);
      const cut = tenantTransaction(db, OWN_TENANT.tenantId, (tx) =>
        sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx),
      );
      await expect(cut).rejects.toThrow();
      const { rows } = await sql`
        select current_user = session_user as same, count(*) filter (where title = 'lost') as lost from documents
      `.execute(db);
      expect(rows).toEqual([{ same: true, lost: 0 }]);
    } finally {
      await small.close();
    }
  });
});

test('other roles, such as the agent runtime, are bound by their grants alone', async () => {
  const name = `runtime_${process.pid}`;
  const session = new pg.Client({ connectionString: database.url });
  await session.connect();
  try {
    await session.query(
      `create role ${name} login; grant select, insert on messages to ${name}; set role ${name}`,
    );
    const { rowCount } = await session.query(`
      insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from,
        content, requested_time)
      select id || ' again', tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from,
        content, requested_time
      from messages where id <> 'imported'`);
    expect(rowCount).toBe(2);
  } finally {
    await session.query(`reset role; drop owned by ${name}; drop role ${name}`);
    await session.end();
  }
});

test('every table with a tenant is known to the query guard, and protected', async () => {
  const { rows } = await sql<{ name: string; isProtected: boolean; isPartition: boolean }>`
    select columns.table_name::text as name, relrowsecurity as is_protected, relispartition as is_partition
    from information_schema.columns
    join pg_class on pg_class.oid = columns.table_name::regclass
    where table_schema = current_schema() and column_name = 'tenant_id'
  `.execute(all);
  const tables = rows.filter(({ isPartition }) => !isPartition);
  expect(tables.map(({ name }) => name).sort()).toEqual([...tenantTables].sort());
  expect(rows.filter(({ name }) => !isTenantTable(name))).toEqual([]);
  expect(rows.filter(({ isProtected }) => !isProtected)).toEqual([]);
});

test('no table with a tenant has triggers, which a cluster does not run', async () => {
  const { rows } = await sql`
    select tgrelid::regclass::text as name, tgname::text as trigger
    from pg_trigger join pg_attribute on attrelid = tgrelid and attname = 'tenant_id' where not tgisinternal
  `.execute(all);
  expect(rows).toEqual([]);
});

test('an error names the table and nothing of what was asked', async () => {
  const db = databaseWith(tenantQueryGuard());
  const query = db.selectFrom('documents').selectAll().where('title', '=', 'a secret');
  await expect(query.execute()).rejects.toThrow(
    new UnscopedStatementError(
      'A statement on "documents" names no tenant; add a condition on tenant_id, or mark it with unscoped().',
    ),
  );
});
