/* A request for each operation there is. */

/** The ids in a request. Each is also tried with another tenant's. */
export interface Target {
  tenant: string;
  unit: string;
  conversation: string;
  document: string;
  /** The id that a new document is to have; left out where undefined. */
  chosenId: string | undefined;
  chunk: string;
  externalId: string;
  webhook: string;
  delivery: string;
  apiKey: string;
}

export interface RestRequest {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string>;
}

export type RequestFor<T> = (target: Target) => T;

/** The unit of what a target names, unless a test says otherwise. */
export const OWN_UNIT = 'unit-own';

const v2 = ({ tenant, unit }: Target) => ({ tenant_id: tenant, tenant_unit_id: unit });
const conversationPath = ({ conversation }: Target) => ({ conversation_id: conversation });
const place = ({ tenant, unit }: Target) => ({ tenantId: tenant, tenantUnitId: unit });
export const documentType = 'UnstructuredFile';

export const REST: Record<string, RequestFor<RestRequest>> = {
  'conversations.list': (t) => ({ query: v2(t) }),
  'conversations.messages': (t) => ({ path: conversationPath(t), query: v2(t) }),
  'conversations.create': (t) => ({ query: v2(t), body: { topic: 'mine' } }),
  'conversations.get': (t) => ({ path: conversationPath(t), query: v2(t) }),
  'conversations.update': (t) => ({ path: conversationPath(t), query: v2(t), body: { topic: 'taken' } }),
  'conversations.delete': (t) => ({ path: conversationPath(t), query: v2(t) }),
  'conversations.setStatus': (t) => ({ path: conversationPath(t), query: v2(t), body: { status: 'failed' } }),
  'documents.create': (t) => ({
    query: { tenantId: t.tenant },
    body: { ...place(t), documentType, id: t.chosenId },
  }),
  'documents.upload': (t) => ({ form: { ...place(t), documentType, datasetIds: 'faq' } }),
  'documents.upsert': (t) => ({
    path: { externalId: t.externalId },
    query: { tenantId: t.tenant },
    body: { externalId: t.externalId, ...place(t), documentName: 'mine' },
  }),
  'documents.get': (t) => ({ path: { documentId: t.document }, query: { tenantId: t.tenant } }),
  'documents.list': (t) => ({ query: { ...place(t), datasetIds: 'faq' } }),
  'documents.delete': (t) => ({ path: { documentId: t.document }, query: { tenantId: t.tenant } }),
  'documents.byIds': (t) => ({ query: { tenantId: t.tenant, documentIds: JSON.stringify([t.document]) } }),
  'documents.update': (t) => ({
    path: { documentId: t.document },
    query: { tenantId: t.tenant },
    body: { documentContent: 'taken', enabled: false },
  }),
  'documents.toggle': (t) => ({
    path: { documentId: t.document },
    query: { tenantId: t.tenant },
    body: { enabled: false },
  }),
  'chunks.list': (t) => ({ path: { documentId: t.document }, query: { tenantId: t.tenant } }),
  'chunks.search': (t) => ({
    query: { tenantId: t.tenant },
    body: { ...v2(t), dataset_ids: ['faq'], query: 'secret recipe' },
  }),
  'chunks.update': (t) => ({
    path: { document_id: t.document, chunk_id: t.chunk },
    query: { tenantId: t.tenant },
    body: { content: 'taken', keywords: ['taken'] },
  }),
  'chunks.deleteMany': (t) => ({
    path: { document_id: t.document },
    query: place(t),
    body: { documentChunkIds: [t.chunk] },
  }),
  'chunks.setStatusMany': (t) => ({
    path: { document_id: t.document },
    query: place(t),
    body: { status: 'inactive', documentChunkIds: [t.chunk] },
  }),
  'chunks.setStatus': (t) => ({
    path: { document_id: t.document, chunk_id: t.chunk },
    query: place(t),
    body: { status: 'inactive' },
  }),
};

const documentRef = (t: Target) => ({ scope: { tenantId: t.tenant }, documentId: t.document });
const conversationRef = (t: Target) => ({ scope: place(t), conversationId: t.conversation });
const webhookRef = (t: Target) => ({ scope: place(t), webhookId: t.webhook });

export const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;

export const TRPC: Record<string, RequestFor<object>> = {
  'conversations.list': (t) => ({ scope: place(t) }),
  'conversations.get': conversationRef,
  'conversations.create': (t) => ({ scope: place(t) }),
  'conversations.update': (t) => ({ ...conversationRef(t), topic: 'taken' }),
  'conversations.setStatus': (t) => ({ ...conversationRef(t), status: 'failed' }),
  'conversations.delete': conversationRef,
  'messages.list': conversationRef,
  'documents.create': (t) => ({
    scope: place(t),
    documentType,
    id: t.chosenId,
  }),
  'documents.createMany': (t) => ({
    scope: place(t),
    documents: [{ documentType, id: t.chosenId }],
  }),
  'documents.upsert': (t) => ({ scope: place(t), externalId: t.externalId, documentName: 'mine' }),
  'documents.get': (t) => ({ scope: place(t), documentId: t.document }),
  'documents.getMany': (t) => ({ scope: place(t), documentIds: [t.document] }),
  'documents.list': (t) => ({ scope: place(t), datasetIds: ['faq'] }),
  'documents.update': (t) => ({ scope: place(t), documentId: t.document, documentContent: 'taken' }),
  'documents.setEnabled': (t) => ({ scope: place(t), documentId: t.document, enabled: false }),
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
  'documents.progress': (t) => ({ scope: place(t), documentIds: [t.document] }),
  'chunks.list': (t) => ({ scope: place(t), documentId: t.document }),
  'chunks.search': (t) => ({ scope: place(t), datasetIds: ['faq'], query: 'secret recipe' }),
  'chunks.update': (t) => ({ ...documentRef(t), scope: place(t), chunkId: t.chunk, content: 'taken' }),
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
  'audit.list': (t) => ({ scope: place(t) }),
  'search.explain': (t) => ({
    scope: place(t),
    datasetIds: ['faq'],
    query: 'secret recipe',
    chunk: { documentId: t.document, chunkId: t.chunk },
  }),
};

/** Operations without tenant: unclaimed files (by random id) and search statistics. */
export const WITHOUT_TENANT = [
  'files.upload',
  'files.discard',
  'search.status',
  'search.settings',
  'search.tasks',
  'search.verify',
];
