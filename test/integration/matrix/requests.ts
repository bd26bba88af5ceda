import { v7 as uuid } from 'uuid';
import type { EndpointCase, SampleRequest } from '../../contract/endpoints.js';

/* A request for each operation there is: over REST those of the contract's table. */

const AGENT_ID = '5f0c2b6e-4c0a-4b57-9a53-0a4c3f1f7d21';

/** The ids in a request. Each is also tried with another tenant's. */
export interface Target {
  tenant: string;
  unit: string;
  conversation: string;
  /** Of the user. */
  message: string;
  document: string;
  /** A dataset of this document alone. */
  dataset: string;
  /** The id that a new document is to have; left out where undefined. */
  chosenId: string | undefined;
  chunk: string;
  externalId: string;
  webhook: string;
  delivery: string;
  apiKey: string;
  question: string;
  synonyms: string;
  label: string;
  retentionRule: string;
  erasure: string;
  member: string;
}

export type RequestFor<T> = (target: Target) => T;

/** The unit of what a target names, unless a test says otherwise. */
export const OWN_UNIT = 'unit-own';

const v2 = ({ tenant, unit }: Target) => ({ tenant_id: tenant, tenant_unit_id: unit });
const place = ({ tenant, unit }: Target) => ({ tenantId: tenant, tenantUnitId: unit });
export const documentType = 'UnstructuredFile';

/** A request of the contract's table, made for a target. */
export const restRequest =
  (one: EndpointCase): RequestFor<SampleRequest> =>
  (target) => {
    const request = one.request({
      ...target,
      conversationId: target.conversation,
      documentId: target.document,
      chunkId: target.chunk,
      agentId: AGENT_ID,
      newDocumentId: target.chosenId,
    });
    // This one takes a tenant, too, although the API document says nothing of it.
    return one.procedure === 'conversations.delete' ? { ...request, query: v2(target) } : request;
  };

/** Chunks of a document, by whatever of it can be named. */
const documentFilter = (t: Target) => ({
  type: 'or',
  filters: [
    { type: 'eq', key: 'document.id', value: t.document },
    { type: 'eq', key: 'document.externalId', value: t.externalId },
  ],
});

const documentRef = (t: Target) => ({ scope: { tenantId: t.tenant }, documentId: t.document });
const conversationRef = (t: Target) => ({ scope: place(t), conversationId: t.conversation });
const webhookRef = (t: Target) => ({ scope: place(t), webhookId: t.webhook });

const collectionRef = (t: Target) => ({ scope: place(t), collection: 'judged' });

export const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;

export const TRPC: Record<string, RequestFor<object>> = {
  'conversations.list': (t) => ({ scope: place(t) }),
  'conversations.get': conversationRef,
  'conversations.create': (t) => ({ scope: place(t) }),
  'conversations.update': (t) => ({ ...conversationRef(t), topic: 'taken' }),
  'conversations.setStatus': (t) => ({ ...conversationRef(t), status: 'failed' }),
  'conversations.setLabels': (t) => ({ ...conversationRef(t), add: [t.label] }),
  'conversations.bulk': (t) => ({
    scope: place(t),
    filter: { labels: [t.label] },
    change: { action: 'delete' },
  }),
  'conversations.delete': conversationRef,
  // All units of a tenant have its labels.
  'labels.list': (t) => ({ scope: { tenantId: t.tenant } }),
  'labels.create': (t) => ({ scope: { tenantId: t.tenant }, name: uuid(), color: '#ff0000' }),
  'labels.update': (t) => ({ scope: { tenantId: t.tenant }, labelId: t.label, name: 'taken' }),
  'labels.delete': (t) => ({ scope: { tenantId: t.tenant }, labelId: t.label }),
  'conversations.setLegalHold': (t) => ({ ...conversationRef(t), legalHold: true }),
  // All units of a tenant have its retention rules and erasures.
  'retention.list': (t) => ({ scope: { tenantId: t.tenant } }),
  'retention.preview': (t) => ({ scope: { tenantId: t.tenant }, keepDays: 36_500 }),
  'retention.create': (t) => ({ scope: { tenantId: t.tenant }, exemptLabels: [t.label], keepDays: 36_500 }),
  'retention.update': (t) => ({
    scope: { tenantId: t.tenant },
    ruleId: t.retentionRule,
    exemptLabels: [t.label],
  }),
  'retention.delete': (t) => ({ scope: { tenantId: t.tenant }, ruleId: t.retentionRule }),
  'users.erase': (t) => ({ scope: { tenantId: t.tenant }, userId: uuid() }),
  'users.erasure': (t) => ({ scope: { tenantId: t.tenant }, erasureId: t.erasure }),
  'users.erasures': (t) => ({ scope: { tenantId: t.tenant } }),
  // All units of a tenant have its members.
  'members.list': (t) => ({ scope: { tenantId: t.tenant } }),
  'members.get': (t) => ({ scope: { tenantId: t.tenant }, memberId: t.member }),
  'members.setRole': (t) => ({ scope: { tenantId: t.tenant }, memberId: t.member, role: null }),
  'members.remove': (t) => ({ scope: { tenantId: t.tenant }, memberId: t.member }),
  'conversations.facets': (t) => ({ scope: place(t) }),
  'conversations.statusHistory': conversationRef,
  'conversations.review': (t) => ({ ...conversationRef(t), verdict: 'bad' }),
  'conversations.reviews': conversationRef,
  'conversations.nextForReview': (t) => ({ scope: place(t), after: t.conversation }),
  'messages.setFeedback': (t) => ({ ...conversationRef(t), messageId: t.message, feedback: 'down' }),
  'conversations.export': (t) => ({ ...conversationRef(t), format: 'html' }),
  'conversations.import': (t) => ({
    scope: place(t),
    conversations: [
      {
        id: t.chosenId ?? uuid(),
        tenantUnitId: t.unit,
        agentId: AGENT_ID,
        userId: 'ada',
        createdTime: '2026-01-01T00:00:00Z',
        updatedTime: '2026-01-01T00:00:00Z',
        messages: [],
      },
    ],
  }),
  'messages.list': conversationRef,
  'messages.search': (t) => ({ scope: place(t), query: 'secret' }),
  'messages.follow': conversationRef,
  'messages.append': (t) => ({
    ...conversationRef(t),
    messages: [{ id: uuid(), messageFrom: 'user', content: 'taken' }],
  }),
  'messages.stream': (t) => ({
    ...conversationRef(t),
    messageId: uuid(),
    part: 0,
    text: 'taken',
    message: { messageFrom: 'agent' },
  }),
  'documents.create': (t) => ({
    scope: place(t),
    documentType,
    id: t.chosenId,
  }),
  'documents.createMany': (t) => ({
    scope: place(t),
    documents: [{ documentType, id: t.chosenId }],
  }),
  'documents.previewChunks': (t) => ({ scope: place(t), documentContent: 'Pepper.' }),
  'documents.upsert': (t) => ({ scope: place(t), externalId: t.externalId, documentName: 'mine' }),
  'documents.get': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.getMany': (t) => ({ scope: place(t), documentIds: [t.document] }),
  'documents.list': (t) => ({ scope: place(t), datasetIds: ['faq'] }),
  'documents.update': (t) => ({ scope: place(t), documentId: t.document, documentContent: 'taken' }),
  'documents.setEnabled': (t) => ({ scope: place(t), documentId: t.document, enabled: false }),
  'documents.setEnabledMany': (t) => ({ scope: place(t), documentIds: [t.document], enabled: false }),
  'documents.setDatasetsMany': (t) => ({ scope: place(t), documentIds: [t.document], add: ['faq'] }),
  'documents.deleteMany': (t) => ({ scope: place(t), documentIds: [t.document] }),
  'documents.cancelMany': (t) => ({ scope: place(t), documentIds: [t.document] }),
  'documents.delete': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.reprocess': (t) => ({ scope: place(t), documentId: t.document, unconditional: true }),
  'documents.reprocessMany': (t) => ({ scope: place(t), documentIds: [t.document], unconditional: true }),
  'documents.cancel': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.waitUntilSearchable': (t) => ({
    scope: place(t),
    documentId: t.document,
    chunkIds: [t.chunk],
    seconds: 0,
  }),
  'documents.history': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.sourceText': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.readSource': (t) => ({ scope: place(t), documentId: t.document, offset: 0, length: 1 }),
  'documents.progress': (t) => ({ scope: place(t), documentIds: [t.document] }),
  'chunks.list': (t) => ({ scope: place(t), documentId: t.document }),
  'chunks.search': (t) => ({
    scope: place(t),
    datasetIds: ['faq'],
    query: 'secret recipe',
    filter: documentFilter(t),
    context: { before: 2, after: 2 },
  }),
  'chunks.suggest': (t) => ({ scope: place(t), datasetIds: ['faq'], text: 'secret rec' }),
  'chunks.update': (t) => ({ ...documentRef(t), scope: place(t), chunkId: t.chunk, content: 'taken' }),
  'chunks.restore': (t) => ({ ...documentRef(t), scope: place(t), chunkId: t.chunk }),
  'chunks.setStatus': (t) => ({ ...documentRef(t), scope: place(t), chunkId: t.chunk, status: 'inactive' }),
  'chunks.setStatusMany': (t) => ({
    ...documentRef(t),
    scope: place(t),
    chunkIds: [t.chunk],
    status: 'inactive',
  }),
  'chunks.deleteMany': (t) => ({ ...documentRef(t), scope: place(t), chunkIds: [t.chunk] }),
  'webhooks.create': (t) => ({
    scope: place(t),
    url: 'https://pages.test',
    eventTypes: ['document.ready'],
    secret,
  }),
  'webhooks.list': (t) => ({ scope: place(t) }),
  'webhooks.get': webhookRef,
  'webhooks.update': (t) => ({ ...webhookRef(t), url: 'https://pages.test/taken' }),
  'webhooks.rotateSecret': (t) => ({ ...webhookRef(t), secret }),
  'webhooks.resume': webhookRef,
  'webhooks.delete': webhookRef,
  'webhooks.deliveries': webhookRef,
  'webhooks.replay': (t) => ({ ...webhookRef(t), deliveryId: t.delivery }),
  'webhooks.test': webhookRef,
  'apiKeys.list': (t) => ({ scope: place(t) }),
  'apiKeys.create': (t) => ({ scope: place(t), name: 'mine', scopes: ['search'] }),
  'apiKeys.rotate': (t) => ({ scope: place(t), keyId: t.apiKey }),
  'apiKeys.revoke': (t) => ({ scope: place(t), keyId: t.apiKey }),
  'overview.get': (t) => ({ scope: place(t) }),
  'overview.attention': (t) => ({ scope: place(t) }),
  'overview.usage': (t) => ({ scope: place(t) }),
  'overview.rates': (t) => ({ scope: place(t) }),
  'overview.conversations': (t) => ({ scope: place(t) }),
  'overview.queue': (t) => ({ scope: place(t) }),
  // In open mode the units of any tenant are told; of this one there is no such unit.
  'reach.units': (t) => ({ scope: { tenantId: t.tenant }, prefix: t.unit }),
  'reach.datasets': (t) => ({ scope: place(t) }),
  'datasets.list': (t) => ({ scope: place(t) }),
  'reach.unitDatasets': (t) => ({ scope: place(t) }),
  'audit.list': (t) => ({ scope: place(t) }),
  'search.run': (t) => ({
    scope: place(t),
    datasetIds: ['faq'],
    query: 'secret recipe',
    context: { before: 500, after: 500, unit: 'characters' },
  }),
  'evaluations.list': (t) => ({ scope: place(t) }),
  'evaluations.questions': collectionRef,
  'evaluations.saveQuestion': (t) => ({
    ...collectionRef(t),
    questionId: t.question,
    query: 'secret recipe',
    datasetIds: ['faq'],
    expected: [{ documentId: t.document, chunkId: t.chunk }],
  }),
  'evaluations.addFromMessage': (t) => ({
    ...collectionRef(t),
    conversationId: t.conversation,
    messageId: t.message,
    datasetIds: ['faq'],
    expected: [{ documentId: t.document, chunkId: t.chunk }],
  }),
  'evaluations.removeQuestion': (t) => ({ scope: place(t), questionId: t.question }),
  'evaluations.run': collectionRef,
  'evaluations.runs': collectionRef,
  'search.synonyms': (t) => ({ scope: place(t) }),
  'search.saveSynonyms': (t) => ({ scope: place(t), synonymsId: t.synonyms, terms: ['taken', 'stolen'] }),
  'search.removeSynonyms': (t) => ({ scope: place(t), synonymsId: t.synonyms }),
  'search.exportSynonyms': (t) => ({ scope: place(t) }),
  // What is there already would not be added again.
  'search.importSynonyms': (t) => ({ scope: place(t), text: `taken, ${uuid()}` }),
  'search.token': (t) => ({ scope: place(t) }),
  'search.repair': (t) => ({ scope: place(t) }),
  'search.explain': (t) => ({
    scope: place(t),
    datasetIds: ['faq'],
    query: 'secret recipe',
    chunk: { documentId: t.document, chunkId: t.chunk },
  }),
};

/** Arguments of tools of MCP; tenant and unit are in the address of the server. */
export const MCP: Record<string, RequestFor<object>> = {
  search: (t) => ({
    ...place(t),
    query: 'secret recipe',
    filter: documentFilter(t),
    context: { before: 2, after: 2 },
  }),
  fetch: (t) => ({ ...place(t), id: t.document }),
  list_documents: (t) => ({ ...place(t), datasets: ['faq'] }),
  list_datasets: place,
  add_document: (t) => ({ ...place(t), name: 'mine', text: 'Pepper.', datasets: ['faq'] }),
  list_conversations: place,
  get_messages: (t) => ({ ...place(t), conversationId: t.conversation }),
};

/** Requests of integrations, which name tenant, unit and dataset in ways of their own. */
export const INTEGRATIONS: Record<string, RequestFor<object>> = {
  'Dify: retrieval': (t) => ({ ...place(t), dataset: t.dataset }),
  'OpenAI: list': place,
  'OpenAI: retrieve': (t) => ({ ...place(t), dataset: t.dataset }),
  'OpenAI: search': (t) => ({ ...place(t), dataset: t.dataset }),
};

/** Operations without tenant: unclaimed files (by random id), search statistics, and a key about itself. */
export const WITHOUT_TENANT = [
  'files.upload',
  'files.discard',
  'search.status',
  'search.settings',
  'search.tasks',
  'search.verify',
  'session.create',
  'session.get',
  'session.delete',
  'reach.tenants',
  'members.roles',
  'overview.limits',
];
