import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../../db/schema.js';
import { describeNew } from '../../../src/derived-data/describe-documents.js';
import { toStoredDatasets } from '../../../src/derived-data/write-datasets.js';
import { writeChunkChanges } from '../../../src/search/indexing/index-writer.js';
import { evaluationRun } from '../support/tenant-rows.js';
import { documentType, OWN_UNIT, secret, type Target } from './requests.js';

/** In every stored text of a conversation, and of a document with its chunk and question. */
export const STORED = { conversation: 'xyzzy', document: 'plugh' };
/** Found by the search of the contract's table. */
const TEXT = `A secret recipe for a refund ${STORED.document}`;

export interface Fixtures {
  /** What the caller may see. */
  own: Target;
  /** The same kinds of things of another tenant. */
  foreign: Target;
  /** Another document of the caller's, with its chunk. */
  sibling: Target;
  /** A tenant that has things in another unit only, so that its own do not show. */
  neighbour: Target;
  /** A tenant and ids that nobody has. */
  unknown: Target;
}

/** Tables with rows of a tenant, and their primary keys. */
const TABLES = [
  ['conversations', ['id']],
  ['conversation_status_changes', ['id']],
  ['conversation_reviews', ['id']],
  ['labels', ['id']],
  ['conversation_labels', ['conversation_id', 'label_id']],
  ['retention_rules', ['id']],
  ['user_erasures', ['id']],
  ['members', ['id']],
  ['messages', ['id']],
  ['documents', ['id']],
  ['document_sources', ['document_id']],
  ['document_datasets', ['document_id', 'dataset_id']],
  ['chunks', ['id']],
  ['chunk_terms', ['chunk_id']],
  ['webhook_subscriptions', ['id']],
  ['webhook_deliveries', ['id']],
  ['api_keys', ['id']],
  ['audit_events', ['id']],
  ['evaluation_questions', ['id']],
  ['evaluation_runs', ['id']],
  ['search_synonyms', ['id']],
] as const;

/** Every row of a tenant, by table and primary key. In one statement, as thousands of tests compare them. */
export async function dump(db: Database, tenantId: string): Promise<Record<string, unknown>> {
  const selects = TABLES.map(([table, keys]) => {
    const key = sql.join(keys.map((column) => sql.ref(column)));
    return sql`select concat_ws(' ', ${sql.lit(table)}, ${key}) as key, to_jsonb(t) as row
      from ${sql.table(table)} as t where tenant_id = ${tenantId}`;
  });
  const { rows } = await sql<{ key: string; row: unknown }>`${sql.join(selects, sql` union all `)}`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ key, row }) => [key, row]));
}

/** Two tenants with a conversation, a message and a searchable document each; the first has one more. */
export async function createFixtures(db: Database): Promise<Fixtures> {
  const target = (tenant: string, document = uuid()): Target => ({
    tenant,
    unit: OWN_UNIT,
    conversation: uuid(),
    message: uuid(),
    document,
    dataset: `dataset-${uuid()}`,
    chosenId: document,
    chunk: uuid(),
    externalId: uuid(),
    webhook: uuid(),
    delivery: uuid(),
    apiKey: uuid(),
    question: uuid(),
    synonyms: uuid(),
    label: uuid(),
    retentionRule: uuid(),
    erasure: uuid(),
    member: uuid(),
  });
  const tenant = () => `tenant-${uuid()}`;
  const own = target(tenant());
  const foreign = target(tenant());
  const neighbour = { ...target(tenant()), unit: 'unit-elsewhere' };
  const sibling = { ...target(own.tenant), conversation: own.conversation, message: own.message };
  // Hundreds of tests make a world each: a statement for each table.
  const tenants = [own, foreign, neighbour];
  await addLabels(db, [own, foreign]);
  await addRetention(db, [own, foreign]);
  await addMembers(db, [own, foreign]);
  await addConversations(db, tenants);
  await addReviews(db, tenants);
  await addWebhooks(db, tenants);
  await addApiKeys(db, tenants);
  await addQuestions(db, tenants);
  await addSynonyms(db, tenants);
  await addDocuments(db, [...tenants, sibling]);
  return { own, foreign, sibling, neighbour, unknown: target(tenant()) };
}

const placeOf = ({ tenant, unit }: Target) => ({ tenantId: tenant, tenantUnitId: unit });

/** Not for a neighbour: they are in no unit. */
async function addLabels(db: Database, targets: Target[]): Promise<void> {
  const now = new Date();
  await db
    .insertInto('labels')
    .values(
      targets.map((target) => ({
        tenantId: target.tenant,
        id: target.label,
        name: `Label ${STORED.conversation}`,
        color: '#00ff00',
        createdTime: now,
        updatedTime: now,
      })),
    )
    .execute();
}

/** Not for a neighbour: they are in no unit. */
async function addRetention(db: Database, targets: Target[]): Promise<void> {
  const now = new Date();
  await db
    .insertInto('retentionRules')
    .values(
      targets.map((target) => ({
        tenantId: target.tenant,
        id: target.retentionRule,
        agentId: 'agent',
        statuses: null,
        exemptLabels: [],
        keepDays: 36_500,
        createdTime: now,
        createdBy: 'secret',
        updatedTime: now,
        updatedBy: 'secret',
      })),
    )
    .execute();
  await db
    .insertInto('userErasures')
    .values(
      targets.map((target) => ({
        tenantId: target.tenant,
        id: target.erasure,
        hashSecret: 'secret',
        userHash: 'secret',
        userId: null,
        place: 'conversations',
        lastKey: null,
        fileKey: 'secret',
        createdTime: now,
        createdBy: 'secret',
        finishedTime: now,
      })),
    )
    .execute();
}

/** Not for a neighbour: they are in no unit. */
async function addMembers(db: Database, targets: Target[]): Promise<void> {
  const now = new Date();
  await db
    .insertInto('members')
    .values(
      targets.map((target) => ({
        tenantId: target.tenant,
        id: target.member,
        issuer: 'https://id.test',
        subject: 'secret',
        userId: 'secret',
        name: 'secret',
        role: 'viewer' as const,
        createdTime: now,
        lastSeenTime: now,
        updatedBy: 'secret',
      })),
    )
    .execute();
}

async function addConversations(db: Database, targets: Target[]): Promise<void> {
  const now = new Date();
  const sharedOf = (target: Target) => ({ ...placeOf(target), agentId: 'agent', userId: 'user' });
  await db
    .insertInto('conversations')
    .values(
      targets.map((target) => ({
        ...sharedOf(target),
        id: target.conversation,
        agentMode: 'chat',
        topic: `Topic ${STORED.conversation}`,
        inputs: JSON.stringify({ order: STORED.conversation }),
        createdTime: now,
        updatedTime: now,
        status: 'running',
        messageSequence: 1,
        labels: [target.label],
      })),
    )
    .execute();
  await db
    .insertInto('conversationLabels')
    .values(
      targets.map((target) => ({
        tenantId: target.tenant,
        conversationId: target.conversation,
        labelId: target.label,
        createdTime: now,
      })),
    )
    .execute();
  await db
    .insertInto('messages')
    .values(
      targets.map((target) => ({
        ...sharedOf(target),
        id: target.message,
        conversationId: target.conversation,
        runId: 'run',
        messageFrom: 'user',
        content: `secret ${STORED.conversation}`,
        requestedTime: now,
        sequence: 1,
      })),
    )
    .execute();
  await db
    .insertInto('messageChanges')
    .values(targets.map(({ tenant, conversation }) => ({ tenantId: tenant, conversationId: conversation })))
    .execute();
}

async function addReviews(db: Database, targets: Target[]): Promise<void> {
  await db
    .insertInto('conversationReviews')
    .values(
      targets.map((target) => ({
        ...placeOf(target),
        id: uuid(),
        conversationId: target.conversation,
        verdict: 'good' as const,
        note: `secret ${STORED.conversation}`,
        reviewedTime: new Date(),
      })),
    )
    .execute();
}

async function addWebhooks(db: Database, targets: Target[]): Promise<void> {
  const now = new Date();
  await db
    .insertInto('webhookSubscriptions')
    .values(
      targets.map(({ tenant, unit, webhook }) => ({
        id: webhook,
        tenantId: tenant,
        tenantUnitIds: [unit],
        url: 'https://secret.example',
        eventTypes: ['document.ready'],
        secret,
        // Nothing is to be sent here.
        enabled: false,
        createdTime: now,
        updatedTime: now,
      })),
    )
    .execute();
  await db
    .insertInto('webhookDeliveries')
    .values(
      targets.map(({ tenant, webhook, delivery }) => ({
        id: delivery,
        tenantId: tenant,
        subscriptionId: webhook,
        eventId: uuid(),
        eventType: 'document.ready',
        subjectId: 'secret',
        payload: '{}',
        createdTime: now,
        deliveredTime: now,
      })),
    )
    .execute();
}

async function addApiKeys(db: Database, targets: Target[]): Promise<void> {
  await db
    .insertInto('apiKeys')
    .values(
      targets.map(({ tenant, unit, apiKey }) => ({
        id: apiKey,
        tenantId: tenant,
        tenantUnitIds: [unit],
        scopes: ['search'],
        name: 'secret',
        secretHash: randomBytes(32),
        createdTime: new Date(),
      })),
    )
    .execute();
}

async function addQuestions(db: Database, targets: Target[]): Promise<void> {
  const now = new Date();
  const sharedOf = (target: Target) => ({
    ...placeOf(target),
    collection: 'judged',
    datasetIds: ['faq'],
    createdTime: now,
  });
  await db
    .insertInto('evaluationQuestions')
    .values(
      targets.map((target) => ({
        ...sharedOf(target),
        id: target.question,
        query: `secret recipe ${STORED.document}`,
        language: 'english',
        expected: JSON.stringify([{ documentId: target.document, chunkId: target.chunk, grade: 1 }]),
        updatedTime: now,
      })),
    )
    .execute();
  await db
    .insertInto('evaluationRuns')
    .values(
      targets.map((target) => ({
        ...sharedOf(target),
        id: uuid(),
        ...evaluationRun,
      })),
    )
    .execute();
}

async function addSynonyms(db: Database, targets: Target[]): Promise<void> {
  const now = new Date();
  await db
    .insertInto('searchSynonyms')
    .values(
      targets.map((target) => ({
        ...placeOf(target),
        id: target.synonyms,
        datasetIds: ['faq'],
        terms: ['secret', 'concealed'],
        createdTime: now,
        updatedTime: now,
      })),
    )
    .execute();
}

const WARNING = {
  code: 'sections_left_out',
  file: null,
  pages: [],
  pageCount: 0,
  names: [STORED.document],
  nameCount: 1,
};

async function addDocuments(db: Database, targets: Target[]): Promise<void> {
  const now = new Date();
  const rows = await db
    .insertInto('documents')
    .values(
      targets.map((target) => ({
        ...placeOf(target),
        id: target.document,
        externalId: target.externalId,
        documentType,
        documentName: `${STORED.document}.txt`,
        documentSubType: STORED.document,
        title: STORED.document,
        category: STORED.document,
        customProperties: JSON.stringify({ note: STORED.document }),
        url: `https://${STORED.document}.invalid`,
        warnings: JSON.stringify([WARNING]),
        source: 'content',
        status: 'ready',
        processingProgress: 100,
        chunkCount: 1,
        datasetIds: toStoredDatasets(['faq', target.dataset]),
        createdTime: now,
        updatedTime: now,
      })),
    )
    .returningAll()
    .execute();
  for (const row of rows) await describeNew(db, row.tenantId, [row]);
  await db
    .insertInto('documentSources')
    .values(
      targets.map((target) => ({
        ...placeOf(target),
        documentId: target.document,
        content: TEXT,
        contentHash: 'hash',
      })),
    )
    .execute();
  const metadata = {
    file_directory: '',
    filename: 'secret.txt',
    filetype: 'text/plain',
    languages: ['en'],
    last_modified: now.toISOString(),
    page_number: 1,
  };
  await db
    .insertInto('chunks')
    .values(
      targets.map((target) => ({
        ...placeOf(target),
        id: target.chunk,
        documentId: target.document,
        ordinal: 0,
        sourceHash: 'hash',
        content: TEXT,
        contentComplement: '',
        keywords: '{}',
        metadata: JSON.stringify(metadata),
        createdTime: now,
        updatedTime: now,
      })),
    )
    .execute();
  for (const { tenant, document, chunk } of targets)
    await writeChunkChanges(db, { tenantId: tenant, documentId: document, edited: [chunk] });
}
