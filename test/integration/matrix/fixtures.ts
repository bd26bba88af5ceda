import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { Database } from '../../../db/schema.js';
import { writeChunkChanges } from '../../../src/search/indexing/index-writer.js';
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

/** Every row of a tenant, by table and primary key. */
export async function dump(db: Database, tenantId: string): Promise<Record<string, unknown>> {
  const tables = [
    ['conversations', ['id']],
    ['conversationStatusChanges', ['id']],
    ['messages', ['id']],
    ['documents', ['id']],
    ['documentSources', ['documentId']],
    ['documentDatasets', ['documentId', 'datasetId']],
    ['chunks', ['id']],
    ['chunkTerms', ['chunkId']],
    ['webhookSubscriptions', ['id']],
    ['webhookDeliveries', ['id']],
    ['apiKeys', ['id']],
    ['auditEvents', ['id']],
    ['evaluationQuestions', ['id']],
    ['evaluationRuns', ['id']],
    ['searchSynonyms', ['id']],
  ] as const;
  const rows: [string, unknown][] = [];
  for (const [table, keys] of tables) {
    const found = await db.selectFrom(table).selectAll().where('tenantId', '=', tenantId).execute();
    for (const row of found) {
      rows.push([`${table} ${keys.map((key) => (row as Record<string, unknown>)[key]).join()}`, row]);
    }
  }
  return Object.fromEntries(rows);
}

/** Two tenants with a conversation, a message and a searchable document each; the first has one more. */
export async function createFixtures(db: Database): Promise<Fixtures> {
  const target = (tenant: string, document = uuid()): Target => ({
    tenant,
    unit: OWN_UNIT,
    conversation: uuid(),
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
  });
  const tenant = () => `tenant-${uuid()}`;
  const own = target(tenant());
  const foreign = target(tenant());
  const neighbour = { ...target(tenant()), unit: 'unit-elsewhere' };
  const sibling = { ...target(own.tenant), conversation: own.conversation };
  for (const one of [own, foreign, neighbour]) await addConversation(db, one);
  for (const one of [own, foreign, neighbour]) await addWebhook(db, one);
  for (const one of [own, foreign, neighbour]) await addApiKey(db, one);
  for (const one of [own, foreign, neighbour, sibling]) await addDocument(db, one);
  for (const one of [own, foreign, neighbour]) {
    await addQuestion(db, one);
    await addSynonyms(db, one);
  }
  return { own, foreign, sibling, neighbour, unknown: target(tenant()) };
}

async function addConversation(db: Database, { tenant, unit, conversation }: Target): Promise<void> {
  const shared = { tenantId: tenant, tenantUnitId: unit, agentId: 'agent', userId: 'user' };
  const now = new Date();
  await db
    .insertInto('conversations')
    .values({
      ...shared,
      id: conversation,
      agentMode: 'chat',
      topic: `Topic ${STORED.conversation}`,
      inputs: JSON.stringify({ order: STORED.conversation }),
      createdTime: now,
      updatedTime: now,
      status: 'running',
    })
    .execute();
  await db
    .insertInto('messages')
    .values({
      ...shared,
      id: uuid(),
      conversationId: conversation,
      runId: 'run',
      messageFrom: 'user',
      content: `secret ${STORED.conversation}`,
      requestedTime: now,
    })
    .execute();
}

async function addWebhook(db: Database, { tenant, unit, webhook, delivery }: Target): Promise<void> {
  const now = new Date();
  await db
    .insertInto('webhookSubscriptions')
    .values({
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
    })
    .execute();
  await db
    .insertInto('webhookDeliveries')
    .values({
      id: delivery,
      tenantId: tenant,
      subscriptionId: webhook,
      eventId: uuid(),
      eventType: 'document.ready',
      subjectId: 'secret',
      payload: '{}',
      createdTime: now,
      deliveredTime: now,
    })
    .execute();
}

async function addApiKey(db: Database, { tenant, unit, apiKey }: Target): Promise<void> {
  await db
    .insertInto('apiKeys')
    .values({
      id: apiKey,
      tenantId: tenant,
      tenantUnitIds: [unit],
      scopes: ['search'],
      name: 'secret',
      secretHash: randomBytes(32),
      createdTime: new Date(),
    })
    .execute();
}

async function addQuestion(db: Database, { tenant, unit, question, document, chunk }: Target): Promise<void> {
  const now = new Date();
  const shared = { tenantId: tenant, tenantUnitId: unit, collection: 'judged', datasetIds: ['faq'] };
  await db
    .insertInto('evaluationQuestions')
    .values({
      ...shared,
      id: question,
      query: `secret recipe ${STORED.document}`,
      language: 'english',
      expected: JSON.stringify([{ documentId: document, chunkId: chunk, grade: 1 }]),
      createdTime: now,
      updatedTime: now,
    })
    .execute();
  await db
    .insertInto('evaluationRuns')
    .values({
      ...shared,
      id: uuid(),
      askedMode: null,
      modes: ['lexical'],
      engines: ['postgres'],
      questions: 1,
      expected: 1,
      gone: 0,
      ndcgAt10: 1,
      recallAt5: 1,
      durationMs: 1,
      createdTime: now,
    })
    .execute();
}

async function addSynonyms(db: Database, { tenant, unit, synonyms }: Target): Promise<void> {
  const now = new Date();
  await db
    .insertInto('searchSynonyms')
    .values({
      tenantId: tenant,
      tenantUnitId: unit,
      id: synonyms,
      datasetIds: ['faq'],
      terms: ['secret', 'concealed'],
      createdTime: now,
      updatedTime: now,
    })
    .execute();
}

async function addDocument(
  db: Database,
  { tenant, unit, document, dataset, chunk, externalId }: Target,
): Promise<void> {
  const shared = { tenantId: tenant, tenantUnitId: unit };
  const now = new Date();
  await db
    .insertInto('documents')
    .values({
      ...shared,
      id: document,
      externalId,
      documentType,
      documentName: `${STORED.document}.txt`,
      documentSubType: STORED.document,
      title: STORED.document,
      category: STORED.document,
      customProperties: JSON.stringify({ note: STORED.document }),
      url: `https://${STORED.document}.invalid`,
      warnings: JSON.stringify([
        {
          code: 'sections_left_out',
          file: null,
          pages: [],
          pageCount: 0,
          names: [STORED.document],
          nameCount: 1,
        },
      ]),
      source: 'content',
      status: 'ready',
      processingProgress: 100,
      chunkCount: 1,
      createdTime: now,
      updatedTime: now,
    })
    .execute();
  await db
    .insertInto('documentSources')
    .values({ ...shared, documentId: document, content: TEXT, contentHash: 'hash' })
    .execute();
  await db
    .insertInto('documentDatasets')
    .values(['faq', dataset].map((datasetId) => ({ ...shared, documentId: document, datasetId })))
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
    .values({
      ...shared,
      id: chunk,
      documentId: document,
      ordinal: 0,
      sourceHash: 'hash',
      content: TEXT,
      contentComplement: '',
      keywords: '{}',
      metadata: JSON.stringify(metadata),
      createdTime: now,
      updatedTime: now,
    })
    .execute();
  await writeChunkChanges(db, { tenantId: shared.tenantId, documentId: document, edited: [chunk] });
}
