import {
  BinaryOperationNode,
  ColumnNode,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  type PluginTransformQueryArgs,
  type QueryId,
  RawNode,
  ReferenceNode,
  sql,
  ValueNode,
} from 'kysely';
import type { Schema } from '../../../db/schema.js';
import { tenantTables } from '../../../db/tenant-isolation/tenant-tables.js';
import { FIRST_ANSWER_PLACES } from '../../../src/derived-data/conversation-sums.js';
import { describeNew } from '../../../src/derived-data/describe-documents.js';
import { writeCounts } from '../../../src/derived-data/write-counts.js';
import { writeChunkChanges } from '../../../src/search/indexing/index-writer.js';
import { keyOfTopic } from '../../../src/search/messages/message-terms.js';

/** A run of an evaluation, but for its ids and times. */
export const evaluationRun = {
  askedMode: null,
  modes: ['lexical'],
  engines: ['postgres'],
  questions: 1,
  expected: 1,
  gone: 0,
  ndcgAt10: 1,
  recallAt5: 1,
  durationMs: 1,
};

export const OWN_TENANT = { tenantId: 'ours', tenantUnitId: 'unit' };
export const OTHER_TENANT = { tenantId: 'theirs', tenantUnitId: 'unit' };

/** Takes the conditions of the service layer out of every statement, as if it had forgotten all of them. */
export function removeTenantConditions(): KyselyPlugin {
  const forgetting = new ScopeForgetter();
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => forgetting.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
}

const FORGOTTEN = RawNode.createWithSql('true');
/** In raw SQL, where each parameter stands as its number between braces. */
const IN_RAW = /(?:"?\w+"?\.)?tenant_(?:unit_)?id = (?:\{\{\d+\}\}|any\(\{\{\d+\}\}\))/g;

class ScopeForgetter extends OperationNodeTransformer {
  protected override transformBinaryOperation(
    node: BinaryOperationNode,
    queryId?: QueryId,
  ): BinaryOperationNode {
    const isScope = columnOf(node.leftOperand) !== undefined && ValueNode.is(node.rightOperand);
    return isScope
      ? BinaryOperationNode.create(FORGOTTEN, OperatorNode.create('='), FORGOTTEN)
      : super.transformBinaryOperation(node, queryId);
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const { sqlFragments, parameters } = super.transformRaw(node, queryId);
    const text = sqlFragments.reduce(
      (before, fragment, i) => `${before}${columnOf(parameters[i - 1]) ?? `{{${i - 1}}}`}${fragment}`,
    );
    const pieces = text.replace(IN_RAW, 'true').split(/\{\{(\d+)\}\}/);
    return RawNode.create(
      pieces.filter((_, i) => i % 2 === 0),
      pieces.filter((_, i) => i % 2 === 1).map((place) => parameters[Number(place)] as OperationNode),
    );
  }
}

/** The column of the tenant or its unit that a node is; undefined where it is none. */
function columnOf(node: OperationNode | undefined): string | undefined {
  if (!node) return undefined;
  // What `sql.ref` gives, transformed.
  if (RawNode.is(node)) {
    const [text = ''] = node.sqlFragments;
    return /^(\w+\.)?tenant_(unit_)?id$/.test(text) && node.parameters.length === 0 ? text : undefined;
  }
  if (!ReferenceNode.is(node) || !ColumnNode.is(node.column)) return undefined;
  const { name } = node.column.column;
  if (!/^tenant_(unit_)?id$/.test(name)) return undefined;
  return node.table ? `${node.table.table.identifier.name}.${name}` : name;
}

/** A row in each table of tenants, with the tenant's name in whatever can be read. */
export async function insertTenantRows(
  db: Kysely<Schema>,
  { tenantId, tenantUnitId }: typeof OWN_TENANT,
): Promise<void> {
  const place = { tenantId, tenantUnitId };
  const now = new Date();
  const id = (kind: string) => `${kind} of ${tenantId}`;
  const times = { createdTime: now, updatedTime: now };
  const conversationId = id('conversation');
  const documentId = id('document');
  await db
    .insertInto('conversations')
    .values({
      ...place,
      ...times,
      id: conversationId,
      topic: tenantId,
      agentId: 'agent',
      userId: 'user',
      agentMode: 'chat',
      labels: [id('label')],
    })
    .execute();
  const labelId = id('label');
  await db
    .insertInto('labels')
    .values({ tenantId, id: labelId, name: tenantId, color: '#00ff00', ...times })
    .execute();
  await db
    .insertInto('conversationLabels')
    .values({ tenantId, conversationId, labelId, createdTime: now })
    .execute();
  await db
    .insertInto('retentionRules')
    .values({
      tenantId,
      id: id('rule'),
      agentId: null,
      statuses: null,
      exemptLabels: [],
      keepDays: 1,
      ...times,
    })
    .execute();
  await db
    .insertInto('members')
    .values({
      tenantId,
      id: id('member'),
      issuer: 'https://id.test',
      subject: id('subject'),
      userId: id('user'),
      role: 'viewer',
      createdTime: now,
      lastSeenTime: now,
    })
    .execute();
  await db
    .insertInto('userErasures')
    .values({
      tenantId,
      id: id('erasure'),
      hashSecret: '',
      userHash: tenantId,
      place: 'conversations',
      fileKey: id('record'),
      createdTime: now,
      finishedTime: now,
    })
    .execute();
  await db
    .insertInto('conversationStatusChanges')
    .values({ ...place, conversationId, changedTime: now })
    .execute();
  await db
    .insertInto('conversationReviews')
    .values({
      ...place,
      id: id('review'),
      conversationId,
      verdict: 'good',
      note: tenantId,
      reviewedTime: now,
    })
    .execute();
  await db
    .insertInto('messages')
    .values({
      ...place,
      id: id('message'),
      conversationId,
      agentId: 'agent',
      userId: 'user',
      runId: 'run',
      messageFrom: 'user',
      content: tenantId,
      requestedTime: now,
      sequence: 1,
    })
    .execute();
  await db.insertInto('messageChanges').values({ tenantId, conversationId }).execute();
  await db
    .insertInto('messageTerms')
    .values({
      tenantId,
      key: keyOfTopic(conversationId),
      conversationId,
      messageId: null,
      sequence: -1,
      length: 1,
      terms: tenantId,
    })
    .execute();
  const counts = {
    userMessages: 1,
    agentMessages: 0,
    inputTokens: 0,
    answerTokens: 0,
    totalTokens: 0,
    up: 0,
    down: 0,
    day: now.toISOString().slice(0, 10),
  };
  await db
    .insertInto('conversationDays')
    .values({ tenantId, conversationId, sequence: 1, firstAnswerMs: null, ...counts })
    .execute();
  await db
    .insertInto('conversationCounts')
    .values({
      ...place,
      ...counts,
      agentId: id('agent'),
      conversations: 1,
      firstAnswers: FIRST_ANSWER_PLACES.map(() => 0),
      firstAnswerMs: 0,
    })
    .execute();
  const row = await db
    .insertInto('documents')
    .values({
      ...place,
      ...times,
      id: documentId,
      externalId: 'external',
      documentType: 'UnstructuredFile',
      documentName: tenantId,
      source: 'content',
      url: 'https://pages.test/page',
      datasetIds: ['dataset'],
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await describeNew(db, tenantId, [row]);
  await db
    .insertInto('documentSources')
    .values({ ...place, documentId, content: tenantId, fileKey: id('file') })
    .execute();
  await db.insertInto('processingJobs').values({ tenantId, documentId, lane: 'small' }).execute();
  const chunk = {
    ...place,
    id: id('chunk'),
    documentId,
    ordinal: 0,
    sourceHash: 'hash',
    content: `Parcels of ${tenantId}`,
    contentComplement: '',
    keywords: '{}',
    metadata: '{}',
  };
  await db
    .insertInto('chunks')
    .values({ ...chunk, ...times })
    .execute();
  await db
    .insertInto('chunkDrafts')
    .values({ ...chunk, run: 'run', terms: '', termsLength: 0, analyzer: 1 })
    .execute();
  await writeChunkChanges(db, { tenantId, documentId: chunk.documentId, edited: [chunk.id] });
  const hash = Buffer.from(tenantId);
  await db.insertInto('chunkTexts').values({ tenantId, chunkId: chunk.id, hash }).execute();
  await db
    .insertInto('embeddingQueue')
    .values({ tenantId, chunkId: id('waiting chunk') })
    .execute();
  await db
    .insertInto('embeddings')
    .values({ tenantId, modelId: 1, hash, scale: 1, vector: Buffer.of(1), isCut: false })
    .execute();
  await db.insertInto('embeddingUsage').values({ tenantId, texts: 1, tokens: 1 }).execute();
  await db
    .insertInto('extractedPictures')
    .values({
      tenantId,
      documentId: chunk.documentId,
      key: 'picture',
      engine: 'engine',
      mediaType: 'text/plain',
      pages: JSON.stringify(['Text.']),
    })
    .execute();
  await db.insertInto('extractionUsage').values({ tenantId, pages: 1 }).execute();
  const { id: segmentId } = await db
    .insertInto('postingSegments')
    .values({
      ...place,
      datasetId: 'dataset',
      chunks: 0,
      length: 0,
      lengths: Buffer.of(),
      buckets: 1,
      chunkIds: Buffer.of(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('postingLists')
    .values({ tenantId, segmentId, key: 1, chunks: 0, postings: Buffer.of() })
    .execute();
  await db
    .insertInto('postingWords')
    .values({ tenantId, segmentId, firstWord: tenantId, words: tenantId, counts: Buffer.of(0) })
    .execute();
  await db
    .insertInto('postingSegmentDocuments')
    .values({ tenantId, segmentId, documentId, chunks: 0 })
    .execute();
  await db
    .insertInto('postingSegmentMetadata')
    .values({ tenantId, segmentId, firstEntry: Buffer.of(), entries: Buffer.of() })
    .execute();
  await db
    .insertInto('apiKeys')
    .values({
      tenantId,
      id: id('key'),
      scopes: ['documents:read'],
      name: tenantId,
      secretHash: Buffer.alloc(32),
      createdTime: now,
    })
    .execute();
  await db
    .insertInto('sessions')
    .values({
      tenantId,
      id: id('session'),
      keyId: id('key'),
      secretHash: Buffer.alloc(32),
      createdTime: now,
      expiresTime: new Date(now.getTime() + 3_600_000),
    })
    .execute();
  await db
    .insertInto('userSessions')
    .values({
      tenantId,
      id: id('user session'),
      secretHash: Buffer.alloc(32),
      issuer: 'https://id.test',
      subject: id('subject'),
      userId: id('user'),
      permissions: ['search'],
      sealedSecret: Buffer.alloc(64),
      refreshedTime: now,
      createdTime: now,
      expiresTime: new Date(now.getTime() + 3_600_000),
    })
    .execute();
  await db
    .insertInto('webhookSubscriptions')
    .values({
      tenantId,
      ...times,
      id: id('webhook'),
      url: `https://${tenantId}.example`,
      eventTypes: ['document.ready'],
      secret: `whsec_${tenantId}`,
    })
    .execute();
  await db
    .insertInto('webhookDeliveries')
    .values({
      tenantId,
      id: id('delivery'),
      subscriptionId: id('webhook'),
      eventId: 'event',
      eventType: 'document.ready',
      subjectId: documentId,
      payload: tenantId,
      createdTime: now,
    })
    .execute();
  await db
    .insertInto('auditEvents')
    .values({ ...place, action: 'documents.update', subjectType: 'document', subjectId: documentId })
    .execute();
  await db
    .insertInto('uploads')
    .values({ tenantId, id: id('upload'), fileKey: id('upload'), sizeBytes: 1, sha256: '', createdTime: now })
    .execute();
  await db
    .insertInto('activityMinutes')
    .values({
      tenantId,
      minute: now,
      process: id('process'),
      documentsReady: 1,
      documentsFailed: 0,
      chunks: 1,
      searches: 0,
      searchesFailed: 0,
      searchLatencies: [0],
    })
    .execute();
  await db
    .insertInto('datasetSearches')
    .values({
      tenantId,
      datasetId: id('dataset'),
      day: now,
      tenantUnitId: '',
      process: id('process'),
      searches: 1,
    })
    .execute();
  await writeCounts(db, { usage: [{ tenantId, documents: 1, chunks: 1, bytes: 1 }] });
  await db.insertInto('tenantUsage').values({ tenantId, documents: 1, chunks: 1, bytes: 1 }).execute();
  await db
    .insertInto('searchOutbox')
    .values({ tenantId, chunkId: id('queued chunk') })
    .execute();
  await db
    .insertInto('searchReplay')
    .values({ tenantId, chunkId: id('replayed chunk'), revision: 1 })
    .execute();
  const evaluated = { ...place, collection: tenantId, datasetIds: ['dataset'], createdTime: now };
  await db
    .insertInto('evaluationQuestions')
    .values({
      ...evaluated,
      id: id('question'),
      query: `Parcels of ${tenantId}`,
      language: 'english',
      expected: JSON.stringify([{ documentId, chunkId: chunk.id, grade: 1 }]),
      updatedTime: now,
    })
    .execute();
  await db
    .insertInto('evaluationRuns')
    .values({
      ...evaluated,
      id: id('run'),
      ...evaluationRun,
    })
    .execute();
  await db
    .insertInto('searchSynonyms')
    .values({
      ...place,
      id: id('synonyms'),
      datasetIds: ['dataset'],
      terms: ['parcel', 'package'],
      createdTime: now,
      updatedTime: now,
    })
    .execute();
  const { id: counterId } = await db
    .insertInto('listCounters')
    .values({ tenantId, list: 'documents', filter: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('listCounterRanges').values({ tenantId, counterId, fromTime: now, count: 1 }).execute();
  await db
    .insertInto('idempotencyKeys')
    .values({
      tenantId,
      caller: '',
      key: 'retry',
      fingerprint: Buffer.from('same'),
      result: Buffer.from(tenantId),
      createdTime: now,
    })
    .execute();
}

/** Every row of a tenant, as PostgreSQL writes it. */
export async function rowsOf(db: Kysely<Schema>, tenantId: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of tenantTables) {
    const { rows: found } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(table)} as t where t.tenant_id = ${tenantId} order by 1
    `.execute(db);
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}
