import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { describeNew } from '../../src/derived-data/describe-documents.js';
import { useApp } from '../support/app.js';
import { type OpenStream, openStream, progressUrl } from '../support/sse-client.js';
import { CONVERSATIONS, TENANT, type TestApp } from './support/rest-client.js';

const streams: OpenStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

/** Opens streams of documents that wait for as long as nobody processes them. */
function watching(app: TestApp) {
  async function open(tenantId: string, ids: string[], headers?: Record<string, string>) {
    const stream = await openStream(progressUrl(app.address, { tenantId }, ids), headers);
    streams.push(stream);
    return stream;
  }

  return {
    open,
    /** Opens one as soon as there is room. */
    async openAgain(...given: Parameters<typeof open>): Promise<OpenStream> {
      for (;;) {
        const stream = await open(...given);
        if (stream.status === 200) return stream;
        stream.close();
      }
    },
    /** A document that is being processed, and by nobody. */
    async waitingDocument(tenantId: string, tenantUnitId = 'sales', datasetIds: string[] = []) {
      const id = `${tenantId}-${tenantUnitId}-${datasetIds.join('-')}-waits`;
      const row = await app.db
        .insertInto('documents')
        .values({
          id,
          tenantId,
          tenantUnitId,
          documentType: 'UnstructuredFile',
          status: 'created',
          source: 'content',
          datasetIds,
          createdTime: new Date(),
          updatedTime: new Date(),
        } as never)
        .returningAll()
        .executeTakeFirstOrThrow();
      await describeNew(app.db, tenantId, [row]);
      return id;
    },
    progress: (id: string, newChunks: number) =>
      app.db.updateTable('documents').set({ newChunks }).where('id', '=', id).execute(),
  };
}

/** More than is read of a body that nobody takes. */
const BODY = 'x'.repeat(300_000);

const refusal = (msg: string) => ({
  error: {
    message: msg,
    code: -32029,
    data: {
      code: 'TOO_MANY_REQUESTS',
      httpStatus: 429,
      detail: [{ type: 'too_many_requests', loc: [], msg }],
    },
  },
});

describe('with keys', () => {
  const app = useApp({ authMode: 'required', streamLimits: { perKey: 2, perTenant: 3, total: 4 } });
  const { open, openAgain, waitingDocument } = watching(app);

  test('a key, a tenant and the server have so many streams at a time, and a closed one makes room', async () => {
    const keyOf = async (tenantId: string) => {
      const { key } = await app.makeKey({ scope: { tenantId } });
      return { 'x-api-key': key };
    };
    const [one, another, third, rival, guest] = [
      await keyOf('acme'),
      await keyOf('acme'),
      await keyOf('acme'),
      await keyOf('rival'),
      await keyOf('guest'),
    ];
    const ids = {
      acme: [await waitingDocument('acme')],
      rival: [await waitingDocument('rival')],
      guest: [await waitingDocument('guest')],
    };
    const first = await open('acme', ids.acme, one);
    expect((await open('acme', ids.acme, one)).status).toBe(200);
    // Refused ones leave nothing behind.
    for (let i = 0; i < 3; i++) {
      const refused = await open('acme', ids.acme, one);
      expect([refused.status, refused.headers['retry-after'], await refused.json()]).toEqual([
        429,
        '5',
        refusal(
          'Too many streams are open with this API key: at most 2 at a time. Close one, or try again in 5 seconds.',
        ),
      ]);
      expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    expect((await open('acme', ids.acme, another)).status).toBe(200);
    const tenantIsFull = await open('acme', ids.acme, third);
    expect([tenantIsFull.status, await tenantIsFull.json()]).toEqual([
      429,
      refusal(
        'Too many streams are open for this tenant: at most 3 at a time. Close one, or try again in 5 seconds.',
      ),
    ]);
    const ofRival = await open('rival', ids.rival, rival);
    expect(ofRival.status).toBe(200);
    const allIsFull = await open('guest', ids.guest, guest);
    expect([allIsFull.status, await allIsFull.json()]).toEqual([
      429,
      refusal(
        'Too many streams are open on this server: at most 4 at a time. Close one, or try again in 5 seconds.',
      ),
    ]);
    // Other requests are none of these.
    expect((await app.request('GET', CONVERSATIONS, { headers: guest })).status).toBe(200);

    ofRival.close();
    await openAgain('guest', ids.guest, guest);
    expect((await open('rival', ids.rival, rival)).status).toBe(429);
    first.close();
    await openAgain('acme', ids.acme, third);
    expect((await open('acme', ids.acme, one)).status).toBe(429);
  });

  test('a stream that the server ends makes room too', async () => {
    const { key, id } = await app.makeKey({ scope: { tenantId: 'ended' } });
    const headers = { 'x-api-key': key };
    const documentId = await waitingDocument('ended');
    const kept = [
      await openAgain('ended', [documentId], headers),
      await openAgain('ended', [documentId], headers),
    ];
    await app.db.updateTable('documents').set({ status: 'ready' }).where('id', '=', documentId).execute();
    for (const stream of kept) await stream.until('event: return');
    await app.db.updateTable('documents').set({ status: 'created' }).where('id', '=', documentId).execute();
    for (let i = 0; i < 2; i++) await openAgain('ended', [documentId], headers);
    expect((await open('ended', [documentId], headers)).status).toBe(429);
    // What is cut off because its key was revoked as well.
    await app.app.services.apiKeys.revoke({ scope: { tenantId: 'ended' }, keyId: id }, { userId: undefined });
    const { key: next } = await app.makeKey({ scope: { tenantId: 'ended' } });
    for (let i = 0; i < 2; i++) await openAgain('ended', [documentId], { 'x-api-key': next });
  });

  test('a stream that stands behind another in a pipeline is not counted', async () => {
    const { key } = await app.makeKey({ scope: { tenantId: 'piped' } });
    const headers = { 'x-api-key': key };
    const ids = [await waitingDocument('piped')];
    const url = new URL(progressUrl(app.address, { tenantId: 'piped' }, ids));
    const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nX-Api-Key: ${key}\r\n\r\n`;
    for (let i = 0; i < 3; i++) {
      const socket = net.connect(Number(url.port), url.hostname);
      socket.write(request.repeat(2));
      await once(socket, 'data');
      const other = await openAgain('piped', ids, headers);
      expect((await open('piped', ids, headers)).status).toBe(429);
      // It ends with its connection, although more waits there.
      socket.destroy();
      const last = await openAgain('piped', ids, headers);
      for (const stream of [other, last]) stream.close();
    }
  });

  test.each<[string, (stream: string) => string[]]>([
    ['what waits behind it', (stream) => [stream.repeat(40)]],
    ['what comes later', (stream) => [stream, stream.repeat(40)]],
    ['a part of a request', (stream) => [stream, 'GET / HT']],
    ['what is no request', (stream) => [stream, 'NONSENSE\r\n\r\n']],
    [
      'a long body',
      (stream) => [stream, `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n${BODY}`],
    ],
    [
      'a long body that waits',
      (stream) => [`${stream}POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n${BODY}`],
    ],
    ['a body of its own', (stream) => [`${stream.slice(0, -2)}Content-Length: 400000\r\n\r\n${BODY}`]],
  ])('a stream ends when its client leaves: with %s on its connection', async (name, partsOf) => {
    const tenantId = name.replaceAll(' ', '-');
    const { key } = await app.makeKey({ scope: { tenantId } });
    const headers = { 'x-api-key': key };
    const ids = [await waitingDocument(tenantId)];
    const url = new URL(progressUrl(app.address, { tenantId }, ids));
    const kept = await openAgain(tenantId, ids, headers);
    const socket = net.connect(Number(url.port), url.hostname).on('error', () => {});
    const [first = '', ...later] = partsOf(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nX-Api-Key: ${key}\r\n\r\n`,
    );
    socket.write(first);
    await once(socket, 'data');
    expect((await open(tenantId, ids, headers)).status).toBe(429);
    for (const part of later) socket.write(part);
    // Until the server has read it, or as much as it reads.
    for (let i = 0; i < 3; i++) await app.get('/healthz');
    socket.end();
    socket.resume();
    for (const stream of [kept, await openAgain(tenantId, ids, headers)]) stream.close();
  });
});

describe('without keys', () => {
  const app = useApp({ streamLimits: { perKey: 3, perTenant: 2, total: 100 } });
  const { open, openAgain, waitingDocument } = watching(app);

  test('streams are counted by address', async () => {
    const ids = [await waitingDocument('acme')];
    const first = await open('acme', ids);
    for (let i = 0; i < 2; i++) expect((await open('acme', ids)).status).toBe(200);
    const refused = await open('rival', ids);
    expect([refused.status, refused.headers['retry-after'], await refused.json()]).toEqual([
      429,
      '5',
      refusal(
        'Too many streams are open from this address: at most 3 at a time. Close one, or try again in 5 seconds.',
      ),
    ]);
    expect((await open('acme', ids)).status).toBe(429);
    const odd = progressUrl(app.address, TENANT, ids).replace('/trpc/documents.', '/TRPC/documents%2E');
    expect((await openStream(odd)).status).toBe(429);
    first.close();
    await openAgain('acme', ids);
  });
});

describe('shared polling', () => {
  const app = useApp({ authMode: 'required' });
  const { open, waitingDocument, progress } = watching(app);

  test("filters by each listener's tenant scope", async () => {
    const sales = await waitingDocument('acme', 'sales', ['faq']);
    const support = await waitingDocument('acme', 'support', ['faq', 'manuals']);
    const foreign = await waitingDocument('rival', 'sales', ['faq']);
    const ids = [sales, support, foreign];
    const listener = async (bounds: object) => {
      const { key } = await app.makeKey({ scope: { tenantId: 'acme' }, ...bounds });
      return open('acme', ids, { 'x-api-key': key });
    };
    const deleted = (documentId: string) => JSON.stringify({ documentId, status: 'deleted' });
    const all = await listener({});
    const ofUnit = await listener({
      scope: { ...TENANT, tenantUnitId: 'sales' },
      scopes: ['documents:read'],
    });
    const ofDataset = await listener({ datasetIds: ['manuals'], scopes: ['documents:read'] });
    for (const one of [all, ofUnit, ofDataset]) await one.until(deleted(foreign));
    await ofUnit.until(deleted(support));
    await ofDataset.until(deleted(sales));

    await progress(foreign, 9);
    await progress(sales, 7);
    await progress(support, 8);
    await all.until('"newChunks":7');
    await all.until('"newChunks":8');
    await ofUnit.until('"newChunks":7');
    await ofDataset.until('"newChunks":8');
    // Once more, so that all have seen what they may see of the round before.
    await progress(sales, 70);
    await progress(support, 80);
    await ofUnit.until('"newChunks":70');
    await ofDataset.until('"newChunks":80');
    for (const text of ['"newChunks":8', '"newChunks":9']) expect(ofUnit.read()).not.toContain(text);
    for (const text of ['"newChunks":7', '"newChunks":9']) expect(ofDataset.read()).not.toContain(text);
    expect(all.read()).not.toContain('"newChunks":9');
  });
});
