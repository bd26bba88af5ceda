import { expect, test } from 'vitest';
import { permissions, tenantWidePermissions } from '../../src/auth/permissions.js';
import type { NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';
import { anonymise, type RawAnswer, type RawRequest, send } from './matrix/operations.js';
import { DOCUMENTS, SEARCH } from './support/rest-client.js';

/*
 * What others store changes no answer: whoever knows their ids, names and words is answered byte by byte as before they
 * stored anything, with the same scores, counts, suggestions, cursors and errors.
 */

const app = useApp({ authMode: 'required', publicUrl: 'https://lectern.example' });

interface Place {
  tenantId: string;
  tenantUnitId: string;
  datasetId: string;
}

const SECRET = {
  id: 'zanzibar-plan',
  externalId: 'zanzibar-external',
  url: 'https://zanzibar.invalid/plan',
  documentName: 'Zanzibar plan',
  documentContent: 'The harbour of Zanzibar opens in secret.\n\nThe harbour master keeps the ledger.',
  customProperties: { colour: 'zanzibar' },
};
const documentType = 'UnstructuredFile' as const;
const GUESSED_UNIT = 'legal';
const GUESSED_DATASET = 'secrets';
const STORES = '/integrations/openai/v1/vector_stores';

const FILTERS = [
  { type: 'eq', key: 'document.id', value: SECRET.id },
  { type: 'eq', key: 'document.externalId', value: SECRET.externalId },
  { type: 'eq', key: 'document.urlPrefix', value: 'https://zanzibar' },
  { type: 'contains', key: 'document.name', value: 'anziba' },
  { type: 'contains', key: 'customProperties.colour', value: 'zanz' },
  { type: 'exists', key: 'customProperties.colour' },
  { type: 'contains', key: 'metadata.filename', value: 'anziba' },
  { type: 'not', filter: { type: 'eq', key: 'customProperties.colour', value: 'zanzibar' } },
];
const CONTEXT = { before: 5, after: 5 };
const QUERIES = ['zanzibar', 'zanzibat harbour', 'when does the harbour open', 'ledger'];

const query = (name: string, asked: object): RawRequest => ({
  method: 'GET',
  route: `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(asked))}`,
});
const rpc = (method: string, params: object): RawRequest => ({
  method: 'POST',
  route: '/mcp',
  headers: { accept: 'application/json, text/event-stream' },
  body: { jsonrpc: '2.0', id: 1, method, params },
});
const tool = (name: string, args: object) => rpc('tools/call', { name, arguments: args });
const dify = (knowledge_id: string, more: object = {}): RawRequest => ({
  method: 'POST',
  route: '/integrations/dify/retrieval',
  body: { knowledge_id, query: QUERIES[0], retrieval_setting: { top_k: 50 }, ...more },
});
const store = (id: string, more: object = {}): RawRequest => ({
  method: 'POST',
  route: `${STORES}/${id}/search`,
  body: { query: QUERIES[0], ...more },
});

/** Searches of whoever may search alone. */
function searches({ tenantId, tenantUnitId, datasetId }: Place): RawRequest[] {
  const scope = { tenantId, tenantUnitId };
  const asked = { scope, datasetIds: [datasetId], topK: 50, context: CONTEXT };
  return [
    ...QUERIES.flatMap((one) => [
      query('chunks.search', { ...asked, query: one }),
      query('chunks.search', { ...asked, datasetIds: [datasetId, GUESSED_DATASET], query: one }),
      tool('search', { query: one, context: CONTEXT }),
      dify(datasetId, { query: one }),
      store(`vs_${datasetId}`, { query: one }),
    ]),
    ...FILTERS.flatMap((filter) => [
      query('chunks.search', { ...asked, query: 'harbour', filter }),
      tool('search', { query: 'harbour', filter }),
      store(`vs_${tenantUnitId}.${datasetId}`, { query: 'harbour', filters: filter }),
    ]),
    ...['z', 'zanz', 'zanzibat', 'harbour ze', 'the le'].map((text) =>
      query('chunks.suggest', { scope, datasetIds: [datasetId, GUESSED_DATASET], text }),
    ),
    dify(datasetId, {
      metadata_condition: {
        conditions: [{ name: 'colour', comparison_operator: 'contains', value: 'zan' }],
      },
    }),
    {
      method: 'POST',
      route: `${SEARCH}?tenantId=${tenantId}`,
      body: {
        tenant_id: tenantId,
        tenant_unit_id: tenantUnitId,
        dataset_ids: [datasetId, GUESSED_DATASET],
        query: QUERIES[0],
      },
    },
  ];
}

/** What else a key with more permissions can try. */
function probes({ tenantId, tenantUnitId, datasetId }: Place): RawRequest[] {
  const scope = { tenantId };
  const cursor = Buffer.from('2-20').toString('base64url');
  const ids = [SECRET.id, 'nobody'];
  return [
    ...ids.flatMap((id) => [
      tool('fetch', { id }),
      tool('fetch', { id, page: 2 }),
      rpc('resources/read', { uri: `lectern://documents/${id}` }),
      rpc('resources/read', { uri: `lectern://documents/${id}?page=2` }),
      query('documents.get', { scope, documentId: id }),
      query('documents.sourceText', { scope, documentId: id }),
      query('documents.history', { scope, documentId: id }),
      query('chunks.list', { scope, documentId: id }),
      { method: 'GET', route: `${DOCUMENTS}/${id}?tenantId=${tenantId}` },
      { method: 'GET', route: `/documents/${id}?tenant=${tenantId}` },
    ]),
    query('documents.getMany', { scope, documentIds: ids }),
    query('documents.list', { scope }),
    query('documents.list', { scope, nameContains: 'anziba' }),
    query('documents.list', { scope, datasetIds: [datasetId, GUESSED_DATASET] }),
    query('reach.tenants', { prefix: '' }),
    query('reach.units', { scope }),
    query('reach.datasets', { scope }),
    query('overview.get', { scope }),
    query('overview.attention', { scope }),
    query('overview.usage', { scope }),
    query('overview.conversations', { scope }),
    query('overview.queue', { scope }),
    query('audit.list', { scope }),
    query('evaluations.list', { scope }),
    query('search.synonyms', { scope }),
    tool('list_documents', {}),
    tool('list_documents', { cursor }),
    tool('list_documents', { name: 'anziba' }),
    tool('list_documents', { datasets: [GUESSED_DATASET] }),
    tool('list_documents', { unit: GUESSED_UNIT }),
    tool('list_datasets', {}),
    tool('list_datasets', { prefix: 'sec' }),
    tool('list_datasets', { unit: GUESSED_UNIT }),
    tool('list_conversations', {}),
    tool('search', { query: 'zanzibar', unit: GUESSED_UNIT }),
    tool('search', { query: 'zanzibar', datasets: [GUESSED_DATASET] }),
    rpc('resources/list', {}),
    rpc('resources/list', { cursor }),
    ...[GUESSED_DATASET, `${GUESSED_UNIT}/${datasetId}`, `${tenantUnitId}/${GUESSED_DATASET}`].map((id) =>
      dify(id),
    ),
    ...[`vs_${GUESSED_DATASET}`, `vs_${GUESSED_UNIT}.${datasetId}`].flatMap((id) => [
      store(id),
      { method: 'GET', route: `${STORES}/${id}` },
    ]),
    { method: 'GET', route: `${STORES}?order=asc&limit=1` },
    { method: 'GET', route: `${STORES}?order=asc&after=vs_${GUESSED_UNIT}.${GUESSED_DATASET}` },
    { method: 'GET', route: `${STORES}?order=asc&before=vs_${tenantUnitId}.${GUESSED_DATASET}` },
    { method: 'GET', route: `${STORES}?tenantUnitId=${GUESSED_UNIT}` },
    { method: 'GET', route: `${STORES}?tenantId=victims-one` },
    { method: 'GET', route: `${DOCUMENTS}?tenantId=${tenantId}` },
  ];
}

async function transcribe(key: string, requests: RawRequest[]): Promise<RawAnswer[]> {
  const answers = [];
  for (const request of requests) {
    const { headers, ...answer } = await send(app.address, request, { authorization: `Bearer ${key}` });
    const { ratelimit: _, ...told } = headers;
    answers.push(anonymise({ ...answer, headers: { ...told, request: request.route } }));
  }
  return answers;
}

/** Stores a document, with a tenant's widest key. */
async function add({ tenantId, tenantUnitId, datasetId }: Place, fields: object) {
  const { documents } = app.trpc({ 'x-api-key': (await app.makeKey({ scope: { tenantId } })).key });
  const place = { scope: { tenantId, tenantUnitId }, datasetIds: [datasetId], documentType };
  return documents.create.mutate({ ...place, ...fields });
}

const within = permissions.filter((one) => !tenantWidePermissions.includes(one));
const place = (tenantId: string, tenantUnitId = 'sales', datasetId = 'faq'): Place => ({
  tenantId,
  tenantUnitId,
  datasetId,
});

interface Case {
  own: Place;
  key: Partial<NewApiKey>;
  theirs: Place;
}

async function prepare({ own, key }: Pick<Case, 'own' | 'key'>): Promise<string> {
  for (const documentContent of [
    'The harbour opens at nine.\n\nThe zebra waits at the harbour.',
    'The ferry leaves the harbour.',
  ])
    await add(own, { documentName: 'Harbour', documentContent, customProperties: { colour: 'blue' } });
  await app.settle();
  return (await app.makeKey({ scope: { tenantId: own.tenantId }, ...key })).key;
}

test.each<[string, Case]>([
  [
    'another tenant',
    { own: place('one'), key: {}, theirs: place('victims-one', GUESSED_UNIT, GUESSED_DATASET) },
  ],
  ['another tenant, at the same place', { own: place('two'), key: {}, theirs: place('victims-two') }],
  [
    'another unit',
    {
      own: place('three'),
      key: { scope: { tenantId: 'three', tenantUnitId: 'sales' } },
      theirs: place('three', GUESSED_UNIT),
    },
  ],
  [
    'another dataset',
    {
      own: place('four'),
      // Conversations are in no dataset.
      key: { datasetIds: ['faq'], scopes: within.filter((one) => !one.startsWith('conversations')) },
      theirs: place('four', 'sales', GUESSED_DATASET),
    },
  ],
])('nothing of %s', async (_, { own, key: fields, theirs }) => {
  const key = await prepare({ own, key: fields });
  const requests = [...searches(own), ...probes(own)];
  const before = await transcribe(key, requests);
  const { tenantId, tenantUnitId } = theirs;
  await add(theirs, SECRET);
  const { conversations } = app.trpc({ 'x-api-key': (await app.makeKey({ scope: { tenantId } })).key });
  await conversations.create.mutate({
    scope: { tenantId, tenantUnitId: `${tenantUnitId}-two` },
    topic: 'Zanzibar',
  });
  await app.settle();
  expect(await transcribe(key, requests)).toEqual(before);
});

test.each(['disabled', 'deleted', 'inactive'])('nothing of what is %s', async (kind) => {
  const own = place(`tenant-${kind}`);
  const key = await prepare({ own, key: { scopes: ['search'] } });
  // Word statistics of a dataset have its chunks until merges forget them, and documents have names without chunks.
  const ask = async () =>
    (await transcribe(key, searches(own))).map(({ body, ...answer }) => ({
      ...answer,
      body: body
        .replace(/\\?"score\\?":[\d.e-]+/g, '')
        .replace(kind === 'inactive' ? /"documents":\[[^\]]*\]/ : '', ''),
    }));
  const before = await ask();
  const { id } = await add(own, SECRET);
  await app.settle();
  const { documents, chunks } = app.trpc({
    'x-api-key': (await app.makeKey({ scope: { tenantId: own.tenantId } })).key,
  });
  const ref = { scope: { tenantId: own.tenantId }, documentId: id };
  expect(await ask()).not.toEqual(before);
  if (kind === 'disabled') await documents.setEnabled.mutate({ ...ref, enabled: false });
  if (kind === 'deleted') await documents.delete.mutate(ref);
  if (kind === 'inactive')
    for (const chunk of (await chunks.list.query(ref)).items)
      await chunks.setStatus.mutate({ ...ref, chunkId: chunk.id, status: 'inactive' });
  expect(await ask()).toEqual(before);
});
