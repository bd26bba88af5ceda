/** What the OpenAPI document shows for each operation. Checked against the schemas by the tests. */

export const CHUNK_ID = '0198c7a4-6f02-7b1c-8d44-91c3be2a7f10';
const DOCUMENT_ID = '0198c7a4-5b1e-7d3a-9c55-2f4de1a6b803';
const CONVERSATION_ID = '0198c7a1-0c9e-7f20-b8a1-6de3f1c45a77';
const TIME = '2026-05-04T09:30:00.000Z';
const TENANT = { tenantId: 'demo', tenantUnitId: 'demo' };
const SNAKE_TENANT = { tenant_id: 'demo', tenant_unit_id: 'demo' };

export const conversation = {
  id: CONVERSATION_ID,
  topic: 'Refund for order 1042',
  agent_id: '5f0c2b6e-4c0a-4b57-9a53-0a4c3f1f7d21',
  ...SNAKE_TENANT,
  user_id: 'alex',
  agent_mode: 'chat',
  extend_properties: {},
  invoke_from: null,
  inputs: { order: '1042' },
  status: 'running',
  assignment_id: null,
  created_time: TIME,
  updated_time: TIME,
  created_by: 'alex',
  updated_by: 'alex',
  created_by_role: null,
  updated_by_role: null,
  created_by_name: null,
  updated_by_name: null,
  agent_type: null,
};

const pageHead = { page_num: 1, page_size: 20, total_count: 1, total_pages: 1, has_next_page: false };

export const conversationPage = { ...pageHead, data: [{ ...conversation, message_count: 2 }] };

const message = {
  id: '0198c7a1-2d10-7c33-a9f4-0b8c5e6d7f12',
  ...SNAKE_TENANT,
  agent_id: conversation.agent_id,
  user_id: 'alex',
  conversation_id: CONVERSATION_ID,
  run_id: '0198c7a1-2d11-7a01-8e2b-4c5d6e7f8a90',
  message_from: 'user',
  content: 'Where is my refund?',
  requested_time: TIME,
  input_tokens: 6,
  answer_tokens: 0,
  total_tokens: 6,
  feedback: null,
  metadata: null,
  type: null,
  user_type: null,
  status: null,
  event_trace: null,
  created_by: 'alex',
  updated_by: 'alex',
  created_by_role: null,
  updated_by_role: null,
};

export const messagePage = { ...pageHead, data: [message] };

export const newDocument = {
  ...TENANT,
  documentType: 'UnstructuredFile',
  documentName: 'returns.md',
  documentContent: '# Returns\n\nGoods can be returned within 30 days.',
};

export const document = {
  id: DOCUMENT_ID,
  ...TENANT,
  documentType: 'UnstructuredFile',
  documentName: 'returns.md',
  createdTime: TIME,
  updatedTime: TIME,
  status: 'created',
  processingProgress: 0,
  enabled: true,
};

const pagination = { totalCount: 1, currentPage: 1, pageSize: 10, totalPages: 1 };

export const documentPage = { data: [document], pagination };

export const upsert = {
  externalId: 'handbook-7',
  ...TENANT,
  documentName: 'Handbook, chapter 7',
  documentContent: 'Goods can be returned within 30 days.',
};

export const upsertResult = {
  externalId: 'handbook-7',
  documentName: 'Handbook, chapter 7',
  status: 'created',
};

const chunk = {
  id: CHUNK_ID,
  documentId: DOCUMENT_ID,
  ...TENANT,
  content: 'Goods can be returned within 30 days.',
  contentComplement: 'Returns',
  keywords: { goods: 1, returned: 0.8 },
  status: 'active',
  createdTime: TIME,
  updatedTime: TIME,
  metadata: {
    file_directory: '',
    filename: 'returns.md',
    filetype: 'text/markdown',
    languages: ['en'],
    last_modified: TIME,
    page_number: 1,
  },
};

export const chunkPage = { data: [chunk], pagination };

export const search = {
  ...SNAKE_TENANT,
  dataset_ids: ['faq'],
  query: 'How long can I return goods?',
  top_k: 5,
  language: 'english',
};

export const searchHit = {
  id: CHUNK_ID,
  document_id: DOCUMENT_ID,
  document_name: 'returns.md',
  document_type: 'UnstructuredFile',
  document_sub_type: 'md',
  content: chunk.content,
  content_complement: 'Returns',
  keywords: ['goods', 'returned'],
  score: 0.71,
  ...SNAKE_TENANT,
  created_time: TIME,
  updated_time: TIME,
  metadata: { dataset_ids: ['faq'] },
};
