import { openAsBlob } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLectern, type LecternOptions, readFailure } from '../../src/client/index.js';
import { useApp } from '../support/app.js';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.js';
import { serve } from '../support/http-server.js';
import { waitFor } from '../support/wait-for.js';

/* The client of `lectern/client`, by real connections, some of which break. */

const app = useApp({ authMode: 'required' });
const scope = { tenantId: 'acme', tenantUnitId: 'support' };
const text = { scope, documentType: 'UnstructuredFile' as const, datasetIds: ['faq'] };
let proxy: FaultyProxy;
let apiKey: string;

beforeAll(async () => {
  proxy = await startFaultyProxy(() => app.address);
  apiKey = (await app.makeKey()).key;
});
beforeEach(() => {
  proxy.requests.length = 0;
});
afterAll(() => proxy.close());

const connect = (options: Partial<LecternOptions> = {}) =>
  createLectern({ url: proxy.address, apiKey, retry: { pauseMs: 1 }, ...options });
const keys = () => proxy.requests.map(({ idempotencyKey }) => idempotencyKey);
const failureOf = (call: Promise<unknown>) => call.then(() => undefined, readFailure);

describe('calls', () => {
  test('have the key and the user, and errors their details', async () => {
    const lectern = connect({ userId: '陈静' });
    const conversation = await lectern.trpc.conversations.create.mutate({ scope, topic: 'Refund' });
    expect(conversation).toMatchObject({ topic: 'Refund', userId: '陈静' });
    expect(await failureOf(lectern.trpc.documents.get.query({ scope, documentId: 'absent' }))).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['documentId'], msg: 'Document not found.' }],
      requestId: expect.stringMatching(/./),
    });
    expect(await failureOf(connect({ apiKey: 'wrong' }).trpc.session.get.query())).toMatchObject({
      status: 401,
      detail: [{ type: 'unauthorized', loc: ['X-Api-Key'] }],
    });
  });

  test('say so where nobody answers', async () => {
    const nobody = connect({ url: 'http://127.0.0.1:9', retry: { attempts: 2, pauseMs: 1 } });
    const failure = { status: undefined, detail: [], requestId: undefined };
    expect(await failureOf(nobody.trpc.session.get.query())).toEqual(failure);
    expect(await failureOf(nobody.uploadFile(new Blob(['text'])))).toEqual(failure);
  });

  test('may ask at length, and again', async () => {
    proxy.faults.push('no answer');
    const search = { scope, datasetIds: ['faq'], query: '退货运费由谁承担？'.repeat(1_000) };
    expect(await connect().trpc.chunks.search.query(search)).toEqual([]);
    expect(proxy.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test('over REST have the key, too, and it is sent nowhere else', async () => {
    const lectern = connect();
    const path = '/admin/api/v2/conversations?tenant_id=acme&tenant_unit_id=rest';
    proxy.faults.push('no answer');
    const init = {
      method: 'POST',
      body: '{"topic":"Once"}',
      headers: { 'content-type': 'application/json' },
    };
    expect((await lectern.fetch(path, init)).status).toBe(201);
    expect(new Set(keys()).size).toBe(1);
    expect(await (await lectern.fetch(path)).json()).toMatchObject({ total_count: 1 });
    await expect(lectern.fetch('http://another.test/')).rejects.toThrow('alone');
  });
});

test('a redirect is refused: the key would follow it', async () => {
  const seen: unknown[] = [];
  const elsewhere = await serve((req, res) => {
    seen.push(req.headers);
    res.end('{}');
  });
  const target = `http://127.0.0.1:${elsewhere.port}/there`;
  const redirecting = await serve((_req, res) => void res.writeHead(307, { location: target }).end());
  const lectern = connect({ url: `http://127.0.0.1:${redirecting.port}` });
  const message = `The server redirects to ${target}, where the API key is not sent. Is its url right?`;
  await expect(lectern.trpc.session.get.query()).rejects.toThrow(message);
  await expect(lectern.fetch('/admin/api/v2/conversations')).rejects.toThrow(message);
  await expect(lectern.uploadFile(new Blob(['text']))).rejects.toThrow(message);
  expect(seen).toEqual([]);
});

describe('a retry', () => {
  test.each([
    ['no answer'] as const,
    ['half an answer'] as const,
    [{ status: 503, retryAfter: '1' }] as const,
    [{ status: 429 }] as const,
  ])('of a read after %j', async (fault) => {
    proxy.faults.push(fault, fault);
    expect(await connect().trpc.session.get.query()).toMatchObject({ mode: 'required' });
    expect(proxy.requests).toHaveLength(3);
  });

  test.each([['no answer'] as const, ['half an answer'] as const, [{ status: 503 }] as const])(
    'of a write after %j has the same Idempotency-Key, and adds nothing twice',
    async (fault) => {
      proxy.faults.push(fault, fault);
      const datasetIds = [JSON.stringify(fault)];
      const { trpc } = connect();
      const { id } = await trpc.documents.create.mutate({ ...text, datasetIds, documentContent: 'Once.' });
      expect([proxy.requests.length, new Set(keys()).size]).toEqual([3, 1]);
      const { items } = await trpc.documents.list.query({ scope, datasetIds });
      expect(items.map((item) => item.id)).toEqual([id]);
    },
  );

  test('by the caller, with a key of its own, gets the first answer', async () => {
    const create = () =>
      connect({ retry: false }).trpc.documents.create.mutate(
        { ...text, documentContent: 'Mine.' },
        { context: { idempotencyKey: 'order-1042' } },
      );
    proxy.faults.push('no answer');
    expect(await failureOf(create())).toMatchObject({ status: undefined });
    expect((await create()).id).toBe((await create()).id);
    expect(keys()).toEqual(['order-1042', 'order-1042', 'order-1042']);
  });

  test('is not made of what would create a second secret', async () => {
    proxy.faults.push('no answer');
    const create = connect().trpc.apiKeys.create.mutate({ scope, name: 'One', scopes: ['search'] });
    expect(await failureOf(create)).toMatchObject({ status: undefined });
    expect(keys()).toEqual([undefined]);
  });

  test('is not made of errors, nor for longer than wanted, nor more often', async () => {
    const { trpc } = connect({ retry: { attempts: 3, pauseMs: 1, maxPauseMs: 5_000 } });
    await failureOf(trpc.documents.get.query({ scope, documentId: 'absent' }));
    expect(proxy.requests).toHaveLength(1);
    proxy.faults.push({ status: 503, retryAfter: '60' });
    await failureOf(trpc.session.get.query());
    expect(proxy.requests).toHaveLength(2);
    proxy.faults.push({ status: 503 }, { status: 503 }, { status: 503 });
    await failureOf(trpc.session.get.query());
    expect(proxy.requests).toHaveLength(5);
  });

  test('ends with the signal', async () => {
    const ending = new AbortController();
    proxy.faults.push({ status: 503, retryAfter: '20' });
    const call = failureOf(connect().trpc.session.get.query(undefined, { signal: ending.signal }));
    await waitFor(() => proxy.requests.length === 1, { what: 'the first attempt' });
    ending.abort();
    expect(await call).toMatchObject({ status: undefined });
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('files', () => {
  test('are uploaded with progress, and become documents', async () => {
    const lectern = connect();
    const sent: (number | undefined)[][] = [];
    const contract = await openAsBlob('packages/file-to-markdown/test/fixtures/contract.pdf', {
      type: 'application/pdf',
    });
    proxy.faults.push('no answer');
    const { id } = await lectern.addFile(
      contract,
      { ...text, fileName: 'contract.pdf' },
      { onProgress: ({ sentBytes, totalBytes }) => sent.push([sentBytes, totalBytes]) },
    );
    expect(sent.at(-1)).toEqual([contract.size, contract.size]);

    const seen: string[] = [];
    for await (const { documentId, status } of lectern.progress({ scope, documentIds: [id, 'absent'] })) {
      seen.push(documentId === id ? status : `${documentId} ${status}`);
    }
    expect(seen).toContain('absent deleted');
    expect(seen.at(-1)).toBe('ready');
    const document = await lectern.trpc.documents.get.query({ scope, documentId: id });
    expect(document).toMatchObject({ documentSubType: 'pdf', status: 'ready' });
  });

  test('may be streams, which are sent once', async () => {
    const stream = () => new Blob(['# Streamed']).stream();
    const uploaded = await connect().uploadFile(stream());
    expect(uploaded).toMatchObject({ sizeBytes: 10 });
    proxy.requests.length = 0;
    proxy.faults.push({ status: 503 });
    expect(await failureOf(connect().uploadFile(stream()))).toMatchObject({ status: 503 });
    expect(proxy.requests).toHaveLength(1);
  });

  test('of a document that is refused are not kept', async () => {
    const add = connect().addFile(new Blob(['text']), { ...text, documentType: 'Poem' as never });
    expect(await failureOf(add)).toMatchObject({ status: 422, detail: [{ loc: ['documentType'] }] });
    const left = await app.db.selectFrom('uploads').select('sizeBytes').where('sizeBytes', '=', 4).execute();
    expect(left).toEqual([]);
  });

  test('can be given up', async () => {
    const ending = new AbortController();
    let isCancelled = false;
    const endless = new ReadableStream({
      cancel: () => {
        isCancelled = true;
      },
      async pull(controller) {
        await new Promise(setImmediate);
        controller.enqueue(new Uint8Array(1_000));
        if (proxy.requests.length > 0) ending.abort();
      },
    });
    const upload = connect().uploadFile(endless, { signal: ending.signal });
    expect(await failureOf(upload)).toMatchObject({ status: undefined });
    await waitFor(() => isCancelled, { what: 'the end of the stream' });
  });
});

describe('follow', () => {
  test('goes on after broken connections, with each message once, until the conversation is deleted', async () => {
    const lectern = connect();
    const { id: conversationId } = await lectern.trpc.conversations.create.mutate({ scope });
    const append = (content: string) =>
      lectern.trpc.messages.append.mutate({
        scope,
        conversationId,
        messages: [{ id: `${conversationId}-${content}`, messageFrom: 'agent', content }],
      });
    await append('1');
    const seen = [];
    for await (const { content } of lectern.follow({ scope, conversationId })) {
      seen.push(content);
      if (seen.length < 3) {
        await append(String(seen.length + 1));
        proxy.faults.push({ status: 503 });
        proxy.breakConnections();
      } else await lectern.trpc.conversations.delete.mutate({ scope, conversationId });
    }
    expect(seen).toEqual(['1', '2', '3']);
  });

  test('brings a message that is being written again with more text', async () => {
    const lectern = connect();
    const { id: conversationId } = await lectern.trpc.conversations.create.mutate({ scope });
    const write = (part: number, text: string, close?: { status: string }) =>
      lectern.trpc.messages.stream.mutate({
        scope,
        conversationId,
        messageId: `${conversationId}-answer`,
        part,
        text,
        close,
        ...(part === 0 && { message: { messageFrom: 'agent' } }),
      });
    await write(0, 'a');
    const seen = [];
    for await (const { content, status } of lectern.follow({ scope, conversationId })) {
      seen.push([content, status]);
      if (status === 'done') break;
      await (content === 'a' ? write(1, 'b') : write(2, 'c', { status: 'done' }));
    }
    expect(seen).toEqual([
      ['a', 'streaming'],
      ['ab', 'streaming'],
      ['abc', 'done'],
    ]);
  });
});

describe('progress', () => {
  test('goes on after a broken connection', async () => {
    const lectern = connect();
    const { id } = await lectern.trpc.documents.create.mutate({ ...text, documentContent: 'Some text.' });
    await app.settle();
    proxy.faults.push('no answer', { status: 503 });
    const seen = [];
    for await (const item of lectern.progress({ scope, documentIds: [id] })) seen.push(item.status);
    expect(seen).toEqual(['ready']);
  });

  test('says why it is refused', async () => {
    const forbidden = connect({ apiKey: (await app.makeKey({ scopes: ['search'] })).key });
    const read = async () => {
      for await (const _ of forbidden.progress({ scope, documentIds: ['1'] }));
    };
    expect(await failureOf(read())).toMatchObject({ status: 403, detail: [{ type: 'forbidden' }] });
  });

  test('ends with the signal', async () => {
    const reason = new Error('enough');
    const { id } = await connect().trpc.documents.create.mutate({ ...text, documentContent: 'Some text.' });
    const selection = { scope, documentIds: [id] };
    await expect(
      connect()
        .progress(selection, { signal: AbortSignal.abort(reason) })
        .next(),
    ).rejects.toBe(reason);
  });
});
