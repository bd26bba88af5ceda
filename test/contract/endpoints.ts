import { expect } from 'vitest';
import { CONTENT, DATASET, type Fixtures, type RequestTarget, USER } from './fixtures.js';

export interface SampleRequest {
  path?: Record<string, string>;
  query?: Record<string, string | string[]>;
  /** Sent as JSON; for a multipart endpoint, its fields. */
  body?: Record<string, unknown>;
}

/** One row of the API document: how to call it, and the whole of what it answers. */
export interface EndpointCase {
  number: number;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the API document writes it. */
  path: string;
  /** The domain procedure that does the same for TypeScript callers. */
  procedure: string;
  isForm?: boolean;
  request: (target: RequestTarget) => SampleRequest;
  status: 200 | 201 | 204;
  /** The exact answer: no field may be missing, and none may be added. Undefined where the body is empty. */
  answer: (records: Fixtures) => unknown;
}

const V2 = '/admin/api/v2/conversations';
const V1 = '/admin/api/v1/documents';
const DOUBLED = '/admin/api/v1/api/v1';

export const UUID = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const TEXT = expect.any(String);

export const conversationOf = (records: Fixtures) => ({
  id: records.conversationId,
  topic: 'Refund for order 1042',
  agent_id: records.agentId,
  tenant_id: records.tenant,
  tenant_unit_id: records.unit,
  user_id: USER,
  agent_mode: 'chat',
  extend_properties: {},
  invoke_from: null,
  inputs: { order: '1042' },
  status: 'running',
  assignment_id: 'desk-1',
  created_time: TIME,
  updated_time: TIME,
  created_by: USER,
  updated_by: USER,
  created_by_role: null,
  updated_by_role: null,
  created_by_name: null,
  updated_by_name: null,
  agent_type: null,
});

const messageOf = (records: Fixtures, place: 0 | 1) => ({
  id: records.messageIds[place],
  tenant_id: records.tenant,
  tenant_unit_id: records.unit,
  agent_id: records.agentId,
  user_id: USER,
  conversation_id: records.conversationId,
  run_id: 'run-1',
  message_from: place === 0 ? 'user' : 'agent',
  content: place === 0 ? 'Where is my refund?' : 'On its way.',
  requested_time: `2026-01-02T03:04:0${5 + place}.000Z`,
  input_tokens: 0,
  answer_tokens: 0,
  total_tokens: 0,
  feedback: null,
  metadata: null,
  type: null,
  user_type: null,
  status: null,
  event_trace: null,
  created_by: null,
  updated_by: null,
  created_by_role: null,
  updated_by_role: null,
});

const pageOf = (data: unknown[]) => ({
  page_num: 1,
  page_size: 20,
  total_count: data.length,
  total_pages: 1,
  has_next_page: false,
  data,
});

/** The prepared document, once it is processed. */
export const documentOf = (records: Fixtures) => ({
  id: records.documentId,
  tenantId: records.tenant,
  tenantUnitId: records.unit,
  documentType: 'UnstructuredFile',
  documentSubType: TEXT,
  documentName: 'refunds.md',
  createdTime: TIME,
  updatedTime: TIME,
  status: 'ready',
  createdBy: USER,
  updatedBy: USER,
  title: 'Refunds',
  processingProgress: 100,
  customProperties: { department: 'sales' },
  enabled: true,
});

const newDocumentOf = (records: Fixtures) => ({
  id: UUID,
  tenantId: records.tenant,
  tenantUnitId: records.unit,
  documentType: 'UnstructuredFile',
  createdTime: TIME,
  updatedTime: TIME,
  status: 'created',
  processingProgress: 0,
  enabled: true,
});

const listOf = (data: unknown[]) => ({
  data,
  pagination: { totalCount: data.length, currentPage: 1, pageSize: 10, totalPages: 1 },
});

const chunkOf = (records: Fixtures) => ({
  id: records.chunkId,
  documentId: records.documentId,
  tenantId: records.tenant,
  tenantUnitId: records.unit,
  content: expect.stringContaining('thirty days'),
  contentComplement: TEXT,
  keywords: expect.any(Object),
  status: 'active',
  createdTime: TIME,
  updatedTime: TIME,
  metadata: {
    file_directory: '',
    filename: 'refunds.md',
    filetype: TEXT,
    languages: expect.any(Array),
    last_modified: TEXT,
    page_number: 1,
  },
});

const hitOf = (records: Fixtures) => ({
  id: records.chunkId,
  document_id: records.documentId,
  document_name: 'refunds.md',
  document_type: 'UnstructuredFile',
  document_sub_type: TEXT,
  content: expect.stringContaining('thirty days'),
  content_complement: TEXT,
  keywords: expect.any(Array),
  score: expect.any(Number),
  tenant_id: records.tenant,
  tenant_unit_id: records.unit,
  created_time: TIME,
  updated_time: TIME,
  metadata: { dataset_ids: [DATASET] },
});

const place = ({ tenant, unit }: RequestTarget) => ({ tenantId: tenant, tenantUnitId: unit });
const snakePlace = ({ tenant, unit }: RequestTarget) => ({ tenant_id: tenant, tenant_unit_id: unit });
const conversationPath = (records: RequestTarget) => ({ conversation_id: records.conversationId });
const documentPath = (records: RequestTarget) => ({ documentId: records.documentId });
const chunkPath = (records: RequestTarget) => ({
  document_id: records.documentId,
  chunk_id: records.chunkId,
});
const tenantOnly = ({ tenant }: RequestTarget) => ({ tenantId: tenant });
const nothing = () => ({});

/**
 * The 22 endpoints, numbered as in the API document: the one table of REST requests, for these tests and for the
 * matrices of tenants and permissions.
 */
export const endpoints: EndpointCase[] = [
  {
    number: 1,
    method: 'GET',
    path: V2,
    procedure: 'conversations.list',
    request: (records) => ({ query: { ...snakePlace(records), statuses: ['running', 'failed'] } }),
    status: 200,
    answer: (records) => pageOf([{ ...conversationOf(records), message_count: 2 }]),
  },
  {
    number: 2,
    method: 'GET',
    path: `${V2}/{conversation_id}/messages`,
    procedure: 'messages.list',
    request: (records) => ({ path: conversationPath(records), query: snakePlace(records) }),
    status: 200,
    answer: (records) => pageOf([messageOf(records, 0), messageOf(records, 1)]),
  },
  {
    number: 3,
    method: 'POST',
    path: V2,
    procedure: 'conversations.create',
    request: (records) => ({
      query: { ...snakePlace(records), assignment_id: 'desk-2' },
      body: { topic: 'Late parcel', status: 'submitted', agent_id: records.agentId, inputs: { parcel: 7 } },
    }),
    status: 201,
    answer: (records) => ({
      ...conversationOf(records),
      id: UUID,
      topic: 'Late parcel',
      status: 'submitted',
      inputs: { parcel: 7 },
      assignment_id: 'desk-2',
      user_id: 'anonymous',
      created_by: null,
      updated_by: null,
    }),
  },
  {
    number: 4,
    method: 'GET',
    path: `${V2}/{conversation_id}`,
    procedure: 'conversations.get',
    request: (records) => ({ path: conversationPath(records), query: snakePlace(records) }),
    status: 200,
    answer: conversationOf,
  },
  {
    number: 5,
    method: 'PATCH',
    path: `${V2}/{conversation_id}`,
    procedure: 'conversations.update',
    request: (records) => ({
      path: conversationPath(records),
      query: snakePlace(records),
      body: { topic: 'Refund, settled' },
    }),
    status: 200,
    answer: (records) => ({ ...conversationOf(records), topic: 'Refund, settled', updated_by: null }),
  },
  {
    number: 6,
    method: 'DELETE',
    path: `${V2}/{conversation_id}`,
    procedure: 'conversations.delete',
    request: (records) => ({ path: conversationPath(records) }),
    status: 204,
    answer: () => undefined,
  },
  {
    number: 7,
    method: 'PATCH',
    path: `${V2}/{conversation_id}/status`,
    procedure: 'conversations.setStatus',
    request: (records) => ({
      path: conversationPath(records),
      query: snakePlace(records),
      body: { status: 'input-required' },
    }),
    status: 200,
    answer: (records) => ({ ...conversationOf(records), status: 'input-required', updated_by: null }),
  },
  {
    number: 8,
    method: 'POST',
    path: V1,
    procedure: 'documents.create',
    request: (records) => ({
      query: { ...place(records), datasetIds: '["faq","all"]' },
      body: {
        ...place(records),
        id: records.newDocumentId,
        documentType: 'UnstructuredFile',
        documentSubType: 'pdf',
        documentName: 'guide.pdf',
        storageType: 's3',
        storageBucket: 'guides',
        storagePath: 'a/guide.pdf',
        url: 'https://pages.test/guide.pdf',
        title: 'Guide',
        customProperties: { a: [1, null, 'ü'] },
        enabled: false,
        documentContent: 'Guide to returns.',
      },
    }),
    status: 200,
    answer: (records) => ({
      ...newDocumentOf(records),
      id: records.newDocumentId,
      documentSubType: 'pdf',
      documentName: 'guide.pdf',
      storageType: 's3',
      storageBucket: 'guides',
      storagePath: 'a/guide.pdf',
      url: 'https://pages.test/guide.pdf',
      title: 'Guide',
      customProperties: { a: [1, null, 'ü'] },
      enabled: false,
      documentContent: 'Guide to returns.',
    }),
  },
  {
    number: 9,
    method: 'POST',
    path: `${V1}/upload`,
    procedure: 'documents.create',
    isForm: true,
    request: (records) => ({
      query: place(records),
      body: {
        ...place(records),
        documentType: 'UnstructuredFile',
        datasetIds: ['faq', 'all'],
        documentSubType: 'md',
        category: 'guides',
        customProperties: '{"a":{"b":1}}',
        file: new File([CONTENT], 'Rückgabe 退货.md', { type: 'text/markdown' }),
      },
    }),
    status: 200,
    answer: (records) => ({
      ...newDocumentOf(records),
      documentSubType: 'md',
      documentName: 'Rückgabe 退货.md',
      category: 'guides',
      customProperties: { a: { b: 1 } },
    }),
  },
  {
    number: 10,
    method: 'PUT',
    path: `${DOUBLED}/documents/byExternalId/{externalId}`,
    procedure: 'documents.upsert',
    request: (records) => ({
      path: { externalId: records.externalId },
      query: { tenantId: records.tenant, datasetIds: '["faq"]' },
      body: {
        ...place(records),
        externalId: records.externalId,
        documentName: 'Handbook',
        documentContent: 'Chapter 7.',
        custom_properties: { chapter: 7 },
      },
    }),
    status: 200,
    answer: ({ externalId }) => ({ externalId, documentName: 'Handbook', status: 'created' }),
  },
  {
    number: 11,
    method: 'GET',
    path: `${V1}/{documentId}`,
    procedure: 'documents.get',
    request: (records) => ({ path: documentPath(records), query: tenantOnly(records) }),
    status: 200,
    answer: (records) => ({ ...documentOf(records), documentContent: CONTENT }),
  },
  {
    number: 12,
    method: 'GET',
    path: V1,
    procedure: 'documents.list',
    request: (records) => ({
      query: { ...place(records), type: 'UnstructuredFile', types: 'StructuredFile', datasetIds: 'faq,none' },
    }),
    status: 200,
    answer: (records) => listOf([documentOf(records)]),
  },
  {
    number: 13,
    method: 'DELETE',
    path: `${V1}/{documentId}`,
    procedure: 'documents.delete',
    request: (records) => ({ path: documentPath(records), query: tenantOnly(records) }),
    status: 204,
    answer: () => undefined,
  },
  {
    number: 14,
    method: 'GET',
    path: `${V1}/byIds`,
    procedure: 'documents.getMany',
    request: (records) => ({
      query: { ...tenantOnly(records), documentIds: JSON.stringify(['absent', records.documentId]) },
    }),
    status: 200,
    answer: (records) => [documentOf(records)],
  },
  {
    number: 15,
    method: 'PATCH',
    path: `${V1}/{documentId}`,
    procedure: 'documents.update',
    request: (records) => ({
      path: documentPath(records),
      query: tenantOnly(records),
      body: {
        url: 'https://pages.test/refunds',
        customProperties: { department: 'service' },
        enabled: false,
        documentContent: CONTENT,
      },
    }),
    status: 200,
    answer: ({ ...records }) => ({
      ...documentOf(records),
      url: 'https://pages.test/refunds',
      customProperties: { department: 'service' },
      enabled: false,
      documentContent: CONTENT,
      updatedBy: undefined,
    }),
  },
  {
    number: 16,
    method: 'PATCH',
    path: `${V1}/{documentId}/toggle`,
    procedure: 'documents.setEnabled',
    request: (records) => ({
      path: documentPath(records),
      query: tenantOnly(records),
      body: { enabled: false },
    }),
    status: 200,
    answer: nothing,
  },
  {
    number: 17,
    method: 'GET',
    path: `${DOUBLED}/documents/{documentId}/documentChunks/`,
    procedure: 'chunks.list',
    request: (records) => ({ path: documentPath(records), query: tenantOnly(records) }),
    status: 200,
    answer: (records) => listOf([chunkOf(records)]),
  },
  {
    number: 18,
    method: 'POST',
    path: `${DOUBLED}/documentChunks/search`,
    procedure: 'chunks.search',
    request: (records) => ({
      query: tenantOnly(records),
      body: {
        ...snakePlace(records),
        dataset_ids: [DATASET],
        query: 'When is a refund paid?',
        top_k: 3,
        language: 'english',
      },
    }),
    status: 200,
    answer: (records) => [hitOf(records)],
  },
  {
    number: 19,
    method: 'PATCH',
    path: `${DOUBLED}/documents/{document_id}/documentChunks/{chunk_id}`,
    procedure: 'chunks.update',
    request: (records) => ({
      path: chunkPath(records),
      query: tenantOnly(records),
      body: { content: 'A refund is paid within ten days.', keywords: ['refund', 'days'] },
    }),
    status: 200,
    answer: nothing,
  },
  {
    number: 20,
    method: 'DELETE',
    path: `${V1}/{document_id}/documentChunks/batch`,
    procedure: 'chunks.deleteMany',
    request: (records) => ({
      path: { document_id: records.documentId },
      query: place(records),
      body: { documentChunkIds: [records.chunkId] },
    }),
    status: 200,
    answer: nothing,
  },
  {
    number: 21,
    method: 'PATCH',
    path: `${V1}/{document_id}/documentChunks/batch/status`,
    procedure: 'chunks.setStatusMany',
    request: (records) => ({
      path: { document_id: records.documentId },
      query: place(records),
      body: { status: 'inactive', documentChunkIds: [records.chunkId] },
    }),
    status: 200,
    answer: nothing,
  },
  {
    number: 22,
    method: 'PATCH',
    path: `${DOUBLED}/documents/{document_id}/documentChunks/{chunk_id}/status`,
    procedure: 'chunks.setStatus',
    request: (records) => ({ path: chunkPath(records), query: place(records), body: { status: 'inactive' } }),
    status: 200,
    answer: nothing,
  },
];

/** For titles of tests: `7 PATCH /admin/api/v2/…`. */
export const titled = (cases = endpoints) =>
  cases.map((one) => [`${one.number} ${one.method} ${one.path}`, one] as const);

/** A path template with its parameters filled in. */
export const fillPath = (template: string, values: Record<string, string> = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

/** Form fields as a client sends them; lists as repeated fields. */
export function toForm(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) {
      if (one instanceof File) form.append(name, one, one.name);
      else if (one !== undefined) form.append(name, String(one));
    }
  }
  return form;
}

/** What a request of the table hands to `app.request`. */
export function toRequest(one: EndpointCase, sample: SampleRequest) {
  return [
    one.method,
    fillPath(one.path, sample.path),
    {
      ...(sample.query && { query: sample.query }),
      ...(sample.body && { body: one.isForm ? toForm(sample.body) : sample.body }),
    },
  ] as const;
}
