import { beforeEach, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { chunksPath, createRestClient, TENANT_UNIT } from './support/rest-client.js';

/*
 * Without API keys batches of chunks work without a tenant: the chunks tell whose they are. Ids of documents are their
 * tenants' own, so that two may have the same.
 */

const app = useApp();
const { call, createDocument } = createRestClient(app);
const ID = 'same';
const batch = `/admin/api/v1/documents/${ID}/documentChunks/batch`;
let chunks: Record<string, string>;

beforeEach(async () => {
  for (const tenantId of ['aaa', 'bbb']) {
    await app.request('DELETE', `/admin/api/v1/documents/${ID}`, { query: { tenantId } });
    await createDocument({ ...TENANT_UNIT, tenantId, id: ID, documentContent: `Text of ${tenantId}.` });
  }
  await app.settle();
  const ids = await Promise.all(
    ['aaa', 'bbb'].map(async (tenantId) => [tenantId, (await list(tenantId))[0].id]),
  );
  chunks = Object.fromEntries(ids);
});

const list = async (tenantId: string) =>
  (await call(200, 'GET', chunksPath(ID), { query: { tenantId } })).data as
    | { id: string; status: string }[]
    | any;

test('delete the chunk that is named, whosever document has the same id', async () => {
  await call(200, 'DELETE', batch, { body: { documentChunkIds: [chunks.bbb] } });
  expect(await list('bbb')).toEqual([]);
  expect(await list('aaa')).toHaveLength(1);
  const { items } = await app
    .trpc()
    .audit.list.query({ scope: { tenantId: 'bbb' }, action: 'chunks.deleteMany' });
  expect(items[0]).toMatchObject({
    subjectId: chunks.bbb,
    before: { deleted: false },
    after: { deleted: true },
  });
});

test('switch the chunk that is named', async () => {
  const query = { tenantUnitId: TENANT_UNIT.tenantUnitId };
  const body = { status: 'inactive', documentChunkIds: [chunks.bbb] };
  await call(200, 'PATCH', `${batch}/status`, { query, body });
  expect(await list('bbb')).toMatchObject([{ status: 'inactive' }]);
  expect(await list('aaa')).toMatchObject([{ status: 'active' }]);
});

test('of two tenants at once are refused: they are of two documents', async () => {
  const body = { status: 'inactive', documentChunkIds: [chunks.bbb, chunks.aaa] };
  const answer = await app.request('PATCH', `${batch}/status`, {
    query: { tenantUnitId: TENANT_UNIT.tenantUnitId },
    body,
  });
  expect(answer).toMatchObject({
    status: 404,
    body: { detail: [{ type: 'not_found', loc: ['body', 'documentChunkIds', 1] }] },
  });
  for (const tenantId of ['aaa', 'bbb']) expect(await list(tenantId)).toMatchObject([{ status: 'active' }]);
});
