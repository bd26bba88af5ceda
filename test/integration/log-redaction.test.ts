import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../src/logging/log.js';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';
import { CONVERSATIONS, DOCUMENTS, SEARCH, TENANT, TENANT_UNIT } from './support/rest-client.js';

const SECRET = 'the-password-of-a-search-server';
/** In all that tenants give: nothing with it may come out. */
const MARK = 'Confessions';

let written = '';
const log = createLog({
  level: 'trace',
  secrets: [SECRET],
  destination: {
    write: (line) => {
      written += line;
    },
  },
});
const app = useApp({ authMode: 'required' }, { log });

interface Line {
  msg: string;
  requestId?: string;
  err?: { type: string; code?: string; cause?: unknown };
}
const lines = (): Line[] => written.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
const linesOf = (requestId: string) => lines().filter((line) => line.requestId === requestId);

afterEach(() => {
  expect(written).not.toContain(MARK);
  expect(written).not.toContain(MARK.toLowerCase());
});

/** Makes the database refuse rows in such a way that it shows them. */
async function refuseRows(table: string, work: () => Promise<void>): Promise<void> {
  await sql.raw(`alter table ${table} add constraint refused check (false) not valid`).execute(app.db);
  try {
    await work();
  } finally {
    await sql.raw(`alter table ${table} drop constraint refused`).execute(app.db);
  }
}

test('logs no text of records or queries', async () => {
  const { key } = await app.makeKey();
  const headers = { 'x-api-key': key };
  const send = (method: string, route: string, body?: unknown, query?: Record<string, string>) =>
    app.request(method, route, { headers, ...(body !== undefined && { body }), ...(query && { query }) });

  const created = await send(
    'POST',
    DOCUMENTS,
    {
      ...TENANT_UNIT,
      documentType: 'UnstructuredFile',
      documentName: MARK,
      documentContent: `${MARK} of a mask.`,
    },
    { tenantId: 'acme', datasetIds: '["faq"]' },
  );
  expect(created.status).toBe(200);
  await app.settle();
  const found = await send(
    'POST',
    SEARCH,
    { tenant_id: 'acme', tenant_unit_id: 'sales', dataset_ids: ['faq'], query: MARK },
    TENANT,
  );
  expect(found.body).toHaveLength(1);
  expect((await send('GET', `${CONVERSATIONS}?tenant_id=acme&name=${MARK}`)).status).toBe(200);
  expect((await send('POST', DOCUMENTS, `{"${MARK}`, { tenantId: 'acme' })).status).toBe(422);
  expect((await send('POST', SEARCH, { [MARK]: MARK, query: [MARK] }, TENANT)).status).toBe(422);
  expect(written).not.toContain(key);
  expect(written).not.toContain(key.slice(-40));
});

test('errors are logged with the request id and without row values', async () => {
  const { key } = await app.makeKey();
  await refuseRows('documents', async () => {
    const answer = await app.request('POST', DOCUMENTS, {
      headers: { 'x-api-key': key, 'x-request-id': 'rest-1' },
      query: { tenantId: 'acme', datasetIds: '[]' },
      body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', documentName: MARK, documentContent: MARK },
    });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 500,
      body: { detail: [{ type: 'internal_server_error', loc: [], msg: 'Internal server error.' }] },
    });
    await expect.poll(() => linesOf('rest-1')).toHaveLength(2);
    const [failure, request] = linesOf('rest-1');
    expect(failure).toMatchObject({ level: 50, msg: 'internal error', requestId: 'rest-1' });
    expect(JSON.stringify(failure)).toContain('"code":"23514"');
    expect(request).toMatchObject({
      level: 30,
      area: 'requests',
      msg: 'request',
      method: 'POST',
      route: DOCUMENTS,
      status: 500,
      tenantId: 'acme',
      keyId: expect.any(String),
      address: '127.0.0.1',
    });

    const call = app.trpc({ 'x-api-key': key, 'x-request-id': 'trpc-1' }).documents.create.mutate({
      scope: TENANT_UNIT,
      documentType: 'UnstructuredFile',
      datasetIds: [],
      documentName: MARK,
      text: MARK,
    } as never);
    await expect(call).rejects.toMatchObject({ data: { code: 'INTERNAL_SERVER_ERROR' } });
    await expect.poll(() => linesOf('trpc-1').map(({ msg }) => msg)).toEqual(['internal error', 'request']);
  });
});

test('logs a document that cannot be processed without its text', async () => {
  const { key } = await app.makeKey();
  written = '';
  const retried = () => lines().find(({ msg }) => msg === 'processing a document failed; it will be retried');
  await refuseRows('chunks', async () => {
    await app.request('POST', DOCUMENTS, {
      headers: { 'x-api-key': key },
      query: { tenantId: 'acme', datasetIds: '[]' },
      body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', documentContent: `${MARK} again.` },
    });
    await waitFor(retried, { what: 'the failure in the log' });
  });
  expect(JSON.stringify(retried())).toContain('"code":"23514"');
  expect(written).not.toContain(MARK);
});

test('known secrets are redacted everywhere', () => {
  written = '';
  log.warn({ url: `http://x:${SECRET}@host`, nested: { [SECRET]: SECRET } }, `not with ${SECRET}`);
  expect(written).not.toContain(SECRET);
  expect(lines()).toMatchObject([{ msg: 'not with …' }]);
});
