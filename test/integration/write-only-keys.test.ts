import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Permission } from '../../src/auth/permissions.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, DOCUMENTS } from './support/rest-client.js';

/* A key that may write and not read is told ids, states and times, and of texts those that it has just sent. */

const page = createServer((_req, res) =>
  res.setHeader('content-type', 'text/plain').end('A page of others.'),
);
const app = useApp({ authMode: 'required', fetchAllowHosts: ['127.0.0.1'] });
const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
const QUERY = { tenantId: 'acme' };

const headersOf = async (...scopes: Permission[]) => ({ 'x-api-key': (await app.makeKey({ scopes })).key });
let writer: Record<string, string>;
let editor: Record<string, string>;

beforeAll(async () => {
  writer = await headersOf('documents:write', 'conversations:write');
  editor = await headersOf(
    'documents:write',
    'documents:read',
    'conversations:write',
    'conversations:read',
    'search',
  );
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void page.close());

const TEXT = 'Herons stand in shallow water.';
const described = {
  documentName: 'Herons',
  title: 'Birds',
  category: 'animals',
  customProperties: { by: 'Ann' },
  documentType: 'UnstructuredFile' as const,
  documentSubType: 'txt',
  documentContent: TEXT,
};
const create = async (externalId?: string) => {
  const { documents } = app.trpc(editor);
  const { documentType: _, documentSubType: __, title: ___, category: ____, ...upserted } = described;
  const made = externalId
    ? await documents.upsert.mutate({ scope, externalId, datasetIds: ['birds'], ...upserted })
    : await documents.create.mutate({ scope, datasetIds: ['birds'], ...described });
  await app.settle();
  return made.id;
};

/** A document as it is told to a key that may not read, without texts. */
const STATES = {
  id: expect.any(String),
  tenantId: 'acme',
  tenantUnitId: 'sales',
  documentType: 'UnstructuredFile',
  storageType: null,
  enabled: true,
  datasetIds: ['birds'],
  stage: null,
  attempts: expect.any(Number),
  newChunks: 0,
  externalId: null,
  chunkCount: 1,
  chunking: null,
  extraction: 'auto',
  createdTime: expect.any(String),
  updatedTime: expect.any(String),
  createdBy: expect.any(String),
  updatedBy: expect.any(String),
  status: 'ready',
  processingProgress: 100,
  version: expect.any(Number),
};

describe('documents', () => {
  test('update returns what it was sent', async () => {
    const documentId = await create();
    const { documents } = app.trpc(writer);
    expect(await documents.update.mutate({ scope, documentId })).toEqual(STATES);
    const sent = { title: 'Waders', category: null, customProperties: { by: 'Ben' } };
    expect(await documents.update.mutate({ scope, documentId, ...sent })).toEqual({ ...STATES, ...sent });
    const waiting = { ...STATES, status: 'created', processingProgress: 0, documentContent: 'Storks.' };
    expect(await documents.update.mutate({ scope, documentId, documentContent: 'Storks.' })).toEqual(waiting);
    await app.settle();
    expect(await app.trpc(editor).documents.update.mutate({ scope, documentId })).toMatchObject({
      ...sent,
      documentName: 'Herons',
      documentSubType: 'txt',
      url: null,
      error: null,
      warnings: [],
      documentContent: 'Storks.',
    });
  });

  test('so does PATCH, and its retry', async () => {
    const id = await create();
    const patch = (headers: object) =>
      app.request('PATCH', `${DOCUMENTS}/${id}`, {
        query: QUERY,
        body: { customProperties: { by: 'Ben' } },
        headers: { ...writer, 'idempotency-key': 'again', ...headers },
      });
    const told = {
      id,
      tenantId: 'acme',
      tenantUnitId: 'sales',
      documentType: 'UnstructuredFile',
      status: 'ready',
      processingProgress: 100,
      enabled: true,
      customProperties: { by: 'Ben' },
      createdTime: STATES.createdTime,
      updatedTime: STATES.updatedTime,
      createdBy: STATES.createdBy,
      updatedBy: STATES.updatedBy,
    };
    const [first, again, all] = [await patch({}), await patch({}), await patch(editor)];
    expect([first.body, again.body]).toEqual([told, told]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const { documentType: _, ...texts } = described;
    expect(all.body).toEqual({ ...told, ...texts, customProperties: { by: 'Ben' } });
  });

  test('upsert, reprocess and cancel do', async () => {
    await create('herons');
    const { documents } = app.trpc(writer);
    const upserted = { ...STATES, externalId: 'herons', created: false };
    const documentName = 'Waders';
    const answer = await documents.upsert.mutate({ scope, externalId: 'herons', documentName });
    expect(answer).toEqual({ ...upserted, documentName });
    const documentId = answer.id;
    expect(await documents.upsert.mutate({ scope, externalId: 'herons' })).toEqual(upserted);
    const { created: _, ...told } = upserted;
    expect(await documents.reprocess.mutate({ scope, documentId })).toEqual({
      ...told,
      status: 'created',
      processingProgress: 0,
    });
    await app.settle();
    const failed = { status: 'failed' as const, error: JSON.stringify({ code: 'cancelled' }) };
    await app.db
      .updateTable('documents')
      .set(failed)
      .where('tenantId', '=', 'acme')
      .where('id', '=', documentId)
      .execute();
    expect(await documents.cancel.mutate({ scope, documentId })).toEqual({ ...told, status: 'failed' });
  });

  test('previews show text that was sent alone', async () => {
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`;
    const preview = (
      headers: Record<string, string>,
      source: { url: string } | { documentContent: string },
    ) => app.trpc(headers).documents.previewChunks.mutate({ scope, ...source });
    expect((await preview(writer, { documentContent: TEXT })).chunks).toMatchObject([{ content: TEXT }]);
    expect((await preview(editor, { url })).chunks).toMatchObject([{ content: 'A page of others.' }]);
    expect(await preview(writer, { url })).toEqual({
      subType: 'txt',
      chunkCount: 1,
      truncated: false,
      warnings: null,
      chunks: [{ ordinal: 0, page: 1 }],
    });
  });

  test('saved questions show the text of chunks to keys that may search', async () => {
    const documentId = await create();
    const { items } = await app.trpc(await headersOf('chunks:read')).chunks.list.query({ scope, documentId });
    const chunkId = items[0]!.id;
    const save = (headers: Record<string, string>) =>
      app.trpc(headers).evaluations.saveQuestion.mutate({
        scope,
        collection: 'birds',
        query: 'Where do herons stand?',
        datasetIds: ['birds'],
        expected: [{ documentId, chunkId }],
      });
    const expected = { documentId, chunkId, grade: 1, state: 'searchable' };
    expect((await save(writer)).expected).toEqual([expected]);
    expect((await save(editor)).expected).toEqual([{ ...expected, documentName: 'Herons', excerpt: TEXT }]);
  });
});

describe('conversations', () => {
  test('update and setStatus return what they were sent', async () => {
    const { conversations } = app.trpc(writer);
    const made = await conversations.create.mutate({ scope, topic: 'Refund', inputs: { order: '1' } });
    expect(made).toMatchObject({ topic: 'Refund', inputs: { order: '1' } });
    const { id: conversationId } = made;
    const told = {
      id: conversationId,
      ...scope,
      agentId: made.agentId,
      userId: 'anonymous',
      agentMode: 'chat',
      assignmentId: null,
      labels: [],
      ...{
        status: 'running',
        version: expect.any(Number),
        createdBy: made.createdBy,
        updatedBy: made.updatedBy,
        ...{ legalHoldTime: null, legalHoldBy: null },
      },
      createdTime: expect.any(String),
      updatedTime: expect.any(String),
    };
    expect(await conversations.update.mutate({ scope, conversationId })).toEqual(told);
    const renamed = await conversations.update.mutate({ scope, conversationId, topic: 'Settled' });
    expect(renamed).toEqual({ ...told, topic: 'Settled' });
    const failed = await conversations.setStatus.mutate({ scope, conversationId, status: 'failed' });
    expect(failed).toEqual({ ...told, status: 'failed' });

    const patch = (headers: Record<string, string>) =>
      app.request('PATCH', `${CONVERSATIONS}/${conversationId}`, { body: {}, headers });
    expect((await patch(writer)).body).toEqual({
      id: conversationId,
      agent_id: made.agentId,
      tenant_id: 'acme',
      tenant_unit_id: 'sales',
      user_id: 'anonymous',
      agent_mode: 'chat',
      status: 'failed',
      assignment_id: null,
      created_time: expect.any(String),
      updated_time: expect.any(String),
      created_by: made.createdBy,
      updated_by: made.updatedBy,
    });
    expect((await patch(editor)).body).toMatchObject({
      topic: 'Settled',
      inputs: { order: '1' },
      extend_properties: {},
      invoke_from: null,
      agent_type: null,
      created_by_name: null,
    });
  });
});
