/** Adds a text and asks a question, over REST. Usage: node built/rest.js TEXT QUESTION */
import { setTimeout as delay } from 'node:timers/promises';
import { createLectern } from 'lectern/client';
import type { paths } from 'lectern/rest';
import createClient from 'openapi-fetch';

const {
  LECTERN_URL = 'http://127.0.0.1:8080',
  LECTERN_KEY,
  LECTERN_TENANT: tenantId = 'example',
} = process.env;
const lectern = createLectern({ url: LECTERN_URL, ...(LECTERN_KEY && { apiKey: LECTERN_KEY }) });
// With the key, an Idempotency-Key for each write, and retries. Any other fetch will do as well.
const api = createClient<paths>({ baseUrl: LECTERN_URL, fetch: lectern.fetch });
const [text, question] = process.argv.slice(2);
if (!text || !question) {
  console.error('Usage: node built/rest.js TEXT QUESTION');
  process.exit(2);
}
const tenantUnitId = 'rest';

const { data: added, error } = await api.POST('/admin/api/v1/documents/upload', {
  params: {},
  body: { tenantId, tenantUnitId, documentType: 'UnstructuredFile', datasetIds: ['texts'], file: text },
  bodySerializer({ file, datasetIds, ...fields }) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    for (const id of datasetIds) form.append('datasetIds', id);
    form.set('file', new File([file], 'text.txt'));
    return form;
  },
});
if (error) throw new Error(error.detail?.map(({ msg }) => msg).join(' '));

let { id: documentId = '', status } = added;
while (status === 'created' || status === 'processing') {
  await delay(200);
  const params = { path: { documentId }, query: { tenantId } };
  status = (await api.GET('/admin/api/v1/documents/{documentId}', { params })).data?.status;
}

const { data: hits = [] } = await api.POST('/admin/api/v1/api/v1/documentChunks/search', {
  params: { query: { tenantId } },
  body: { tenant_id: tenantId, tenant_unit_id: tenantUnitId, dataset_ids: ['texts'], query: question },
});
for (const { score, content } of hits) console.log(`${score?.toFixed(2)}  ${content}`);
