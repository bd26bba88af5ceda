/**
 * Calls a running server with the client that openapi-typescript generates, and prints what it was answered.
 *
 * Usage: node call.js ADDRESS
 */
import { setTimeout as delay } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const api = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const place = { tenantId: 'typescript', tenantUnitId: 'support' };
const scope = { tenant_id: place.tenantId, tenant_unit_id: place.tenantUnitId };
const CONVERSATIONS = '/admin/api/v2/conversations';
const DOCUMENT = '/admin/api/v1/documents/{documentId}';

const created = await api.POST(CONVERSATIONS, {
  params: { query: scope, header: { 'X-User-Id': 'ana' } },
  body: { topic: 'Refund', inputs: { order: '1042' } },
});
const listed = await api.GET(CONVERSATIONS, { params: { query: { ...scope, statuses: ['running'] } } });

const uploaded = await api.POST('/admin/api/v1/documents/upload', {
  params: {},
  body: {
    ...place,
    documentType: 'UnstructuredFile',
    datasetIds: ['faq'],
    file: 'A refund is paid within thirty days.',
  },
  bodySerializer({ file, datasetIds, ...fields }) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    for (const id of datasetIds) form.append('datasetIds', id);
    form.set('file', new File([file], 'refunds.txt'));
    return form;
  },
});
const documentId = uploaded.data?.id ?? '';
const query = { tenantId: place.tenantId };
let document = uploaded.data;
for (let tries = 0; tries < 600 && document?.status !== 'ready'; tries += 1) {
  await delay(100);
  document = (await api.GET(DOCUMENT, { params: { path: { documentId }, query } })).data;
}
const found = await api.POST('/admin/api/v1/api/v1/documentChunks/search', {
  params: { query },
  body: { ...scope, dataset_ids: ['faq'], query: 'When is a refund paid?' },
});
const missing = await api.GET(DOCUMENT, { params: { path: { documentId: 'absent' }, query } });

console.log(
  JSON.stringify({
    created: [created.response.status, created.data?.topic, created.data?.inputs, created.data?.user_id],
    listed: [
      listed.data?.total_count,
      listed.data?.data.map(({ topic, message_count }) => [topic, message_count]),
    ],
    uploaded: [uploaded.response.status, uploaded.data?.documentName, document?.status],
    found: found.data?.map(({ content, document_name }) => [content, document_name]),
    missing: [missing.response.status, missing.error?.detail],
  }),
);
