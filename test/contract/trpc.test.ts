import { TRPCClientError } from '@trpc/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { appRouter } from '../../src/routers/index.js';
import { useApp } from '../support/app.js';
import { endpoints, titled } from './endpoints.js';
import { createFixtures, type Fixtures } from './fixtures.js';

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;

const app = useApp();
let records: Fixtures;
beforeAll(async () => {
  records = await createFixtures(app);
});

/** Calls a procedure by its name, as the typed client would. */
async function call(name: string, input: unknown): Promise<unknown> {
  const { type } = procedures[name]?._def ?? {};
  const [area, verb] = name.split('.') as [string, string];
  const client = app.trpc() as any;
  return client[area][verb][type === 'query' ? 'query' : 'mutate'](input);
}

const errorOf = (name: string, input: unknown) =>
  call(name, input).then(
    () => undefined,
    (error: unknown) => error as TRPCClientError<typeof appRouter>,
  );

test.each(titled())('%s has a tRPC procedure', (_, { procedure, method }) => {
  const found = procedures[procedure];
  expect(found).toBeDefined();
  const reads = method === 'GET' || procedure === 'chunks.search';
  expect(found?._def.type).toBe(reads ? 'query' : 'mutation');
});

describe('the typed client gets the same details as a REST client', () => {
  test.each([...new Set(endpoints.map(({ procedure }) => procedure))])('%s', async (procedure) => {
    const error = await errorOf(procedure, { scope: { tenantId: '' } });
    expect(error).toBeInstanceOf(TRPCClientError);
    const { detail, httpStatus } = (error as TRPCClientError<typeof appRouter>).data as unknown as {
      detail: object[];
      httpStatus: number;
    };
    expect(httpStatus).toBe(422);
    expect(detail.length).toBeGreaterThan(0);
    for (const one of detail) {
      expect(one).toEqual({
        type: expect.stringMatching(/^value_error\./),
        loc: expect.any(Array),
        msg: expect.any(String),
      });
    }
    expect(detail).toContainEqual(expect.objectContaining({ loc: ['scope', 'tenantId'] }));
  });

  test('of a record that is not there', async () => {
    const error = await errorOf('documents.get', {
      scope: { tenantId: records.tenant },
      documentId: 'absent',
    });
    expect(error?.message).toBe('Document not found.');
    expect(error?.data).toEqual({
      code: 'NOT_FOUND',
      httpStatus: 404,
      path: 'documents.get',
      detail: [{ type: 'not_found', loc: ['documentId'], msg: 'Document not found.' }],
    });
  });

  test('of an id that is taken', async () => {
    const error = await errorOf('documents.create', {
      scope: { tenantId: records.tenant, tenantUnitId: records.unit },
      id: records.documentId,
      documentType: 'UnstructuredFile',
    });
    expect(error?.data).toMatchObject({ httpStatus: 409, detail: [{ type: 'conflict', loc: ['id'] }] });
  });

  test('of a page beyond the cap', async () => {
    const error = await errorOf('conversations.list', { pageSize: 101 });
    expect(error?.data).toMatchObject({
      httpStatus: 422,
      detail: [{ type: 'value_error.too_big', loc: ['pageSize'], msg: 'must be at most 100' }],
    });
  });

  test('of a body that is too large', async () => {
    const error = await errorOf('documents.create', { documentContent: 'x'.repeat(17 * 1024 * 1024) });
    expect(error?.data).toMatchObject({ httpStatus: 413, detail: [{ type: 'payload_too_large' }] });
  });

  test.each(['%%%', 'text/plain', 'application/octet-stream', 'multipart/form-data; boundary=b'])(
    'of a body of type %s',
    async (type) => {
      const response = await fetch(`${app.address}/trpc/conversations.create`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{}',
      });
      expect(response.status).toBe(415);
      expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
      const msg = 'tRPC takes application/json, and files.upload takes application/octet-stream.';
      expect(await response.json()).toMatchObject({
        error: { data: { httpStatus: 415, detail: [{ type: 'unsupported_media_type', loc: [], msg }] } },
      });
    },
  );

  test('of lists beyond all bounds: of their length, not of every item', async () => {
    const chunkIds = Array.from({ length: 40_000 }, () => 0);
    const error = await errorOf('chunks.deleteMany', { documentId: records.documentId, chunkIds });
    expect(error?.data).toMatchObject({ detail: [{ loc: ['chunkIds'] }] });
  });
});
