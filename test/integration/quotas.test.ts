import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { createRestClient, DOCUMENTS, TENANT, TENANT_UNIT } from './support/rest-client.js';

const few = useApp({ quotas: { documents: 3, chunks: undefined, bytes: undefined } });
const little = useApp({ quotas: { documents: undefined, chunks: undefined, bytes: 1_000 } });
const short = useApp({ quotas: { documents: undefined, chunks: 2, bytes: undefined } });

const refusal = (what: string, limit: string) => ({
  detail: [
    {
      type: `quota_exceeded.${what}`,
      loc: [],
      msg: `This tenant may have ${limit}, and no more. Delete documents that are no longer needed, or have the quota raised.`,
    },
  ],
});

test('a tenant has so many documents at most, also when all come at once', async () => {
  const create = (fields: object = {}) =>
    few.request('POST', DOCUMENTS, {
      query: { tenantId: 'acme' },
      body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', ...fields },
    });
  const answers = await Promise.all(Array.from({ length: 8 }, () => create()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toEqual(refusal('documents', '3 documents'));
  const { data } = (await few.get(DOCUMENTS, TENANT)).body;
  expect(data).toHaveLength(3);

  const { call } = createRestClient(few);
  await call(200, 'POST', DOCUMENTS, {
    query: { tenantId: 'zenith' },
    body: { ...TENANT_UNIT, tenantId: 'zenith', documentType: 'UnstructuredFile' },
  });
  await call(204, 'DELETE', `${DOCUMENTS}/${data[0].id}`, { query: TENANT });
  expect((await create()).status).toBe(200);
});

test('bulk creation over quota creates none', async () => {
  const { createMany } = few.trpc().documents;
  const scope = { ...TENANT_UNIT, tenantId: 'bulk' };
  const documents = Array.from({ length: 4 }, () => ({}));
  await expect(createMany.mutate({ scope, documents })).rejects.toMatchObject({
    data: { httpStatus: 409, detail: [{ type: 'quota_exceeded.documents' }] },
  });
  expect((await few.get(DOCUMENTS, { tenantId: 'bulk' })).body.data).toEqual([]);
  expect((await createMany.mutate({ scope, documents: documents.slice(1) })).created).toHaveLength(3);
});

test('a tenant stores so many bytes at most: inline, uploaded, and changed', async () => {
  const { call, createDocument, upload } = createRestClient(little);
  const inline = await createDocument({ documentContent: 'x'.repeat(600) });
  const file = await upload('y'.repeat(300), 'notes.txt');
  const create = (documentContent: string) =>
    little.request('POST', DOCUMENTS, {
      query: TENANT,
      body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', documentContent },
    });
  expect(await create('z'.repeat(101))).toMatchObject({
    status: 409,
    body: refusal('bytes', '1000 stored bytes'),
  });
  const grow = { query: TENANT, body: { documentContent: 'x'.repeat(701) } };
  await call(409, 'PATCH', `${DOCUMENTS}/${inline.id}`, grow);
  await call(200, 'PATCH', `${DOCUMENTS}/${inline.id}`, { query: TENANT, body: { documentContent: 'x' } });
  expect((await create('z'.repeat(600))).status).toBe(200);
  await call(204, 'DELETE', `${DOCUMENTS}/${file.id}`, { query: TENANT });
  expect((await create('z'.repeat(300))).status).toBe(200);
});

test('a tenant has so many chunks at most: what would make more fails, and says why', async () => {
  const { createDocument, getDocument } = createRestClient(short);
  const one = await createDocument({ documentContent: 'One chunk.' });
  await short.settle();
  const many = await createDocument({ documentContent: 'A sentence of some length. '.repeat(400) });
  await short.settle();
  expect(await getDocument(one.id)).toMatchObject({ status: 'ready' });
  const failed = await short.trpc().documents.get.query({ scope: TENANT, documentId: many.id });
  expect(failed).toMatchObject({
    status: 'failed',
    chunkCount: 0,
    error: {
      code: 'quota_exceeded',
      stage: 'storing',
      message:
        'This tenant has as many chunks as it may have. Delete documents, or have the quota raised, and process this one again.',
      retryable: false,
    },
  });
  const next = await createDocument({ documentContent: 'Another chunk.' });
  await short.settle();
  expect(await getDocument(next.id)).toMatchObject({ status: 'ready' });
  const answer = await short.request('POST', DOCUMENTS, {
    query: TENANT,
    body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', documentContent: 'One too many.' },
  });
  expect(answer).toMatchObject({ status: 409, body: refusal('chunks', '2 chunks') });
});
