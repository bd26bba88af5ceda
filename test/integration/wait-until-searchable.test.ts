import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/compose/compose.js';
import { readConfig } from '../../src/config/config.js';
import type { Json } from '../contract/openapi-document.js';
import { useApp } from '../support/app.js';
import { startMeilisearch } from '../support/meilisearch/server.js';
import { createTestDatabase } from '../support/postgres.js';
import { waitFor } from '../support/wait-for.js';
import {
  chunksPath,
  createRestClient,
  DOCUMENTS,
  externalPath,
  TENANT,
  TENANT_UNIT,
  type TestApp,
} from './support/rest-client.js';

/** What tests do with a `Prefer` header, and the answer with what became of the preference. */
function preferring(app: TestApp) {
  const calls = createRestClient(app);

  async function send(prefer: string, method: string, route: string, query: object, body: unknown) {
    const headers = { prefer };
    const answer = await app.request(method, route, { query: { ...query }, body, headers });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: answer.body });
    return { applied: answer.headers.get('preference-applied'), body: answer.body };
  }

  return {
    ...calls,
    send,
    create: (prefer: string, fields: object, query: object = { datasetIds: '["faq"]' }) =>
      send(
        prefer,
        'POST',
        DOCUMENTS,
        { ...TENANT, ...query },
        { ...TENANT_UNIT, documentType: 'UnstructuredFile', ...fields },
      ),
    patch: (prefer: string, id: string, body: object) =>
      send(prefer, 'PATCH', `${DOCUMENTS}/${id}`, TENANT, body),
    find: async (query: string) =>
      (await calls.search(query)).map(({ content }: { content: string }) => content),
    /** A document that is ready, and its chunk. */
    async prepare(documentContent: string) {
      const { id } = await calls.createDocument({ documentContent }, ['faq']);
      await app.settle();
      const [chunk] = await calls.listChunks(id);
      return { id, chunk, chunkPath: `${chunksPath(id)}${chunk.id}` };
    },
  };
}

const SEARCHABLE = 'wait=60, searchable=true';

describe('with PostgreSQL', () => {
  const app = useApp({ fetchAllowHosts: ['127.0.0.1'] });
  const { create, patch, send, prepare, find } = preferring(app);
  /** Pages that never come. They keep their own tenant waiting. */
  const silent = createServer(() => {});
  const slow = { ...TENANT_UNIT, tenantId: 'slow', documentType: 'UnstructuredWebpage', url: '' };
  const createSlow = (prefer: string) => create(prefer, slow, { tenantId: 'slow' });

  beforeAll(async () => {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    slow.url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  test('a new document is found by the next search; the answer is the usual one', async () => {
    const { applied, body } = await create('wait=60', { documentContent: 'Badgers dig.' });
    expect(applied).toBe(SEARCHABLE);
    expect(body).toMatchObject({ status: 'created', processingProgress: 0, documentContent: 'Badgers dig.' });
    expect(await find('badgers')).toEqual(['Badgers dig.']);
  });

  test('and so is an upload', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...TENANT_UNIT, documentType: 'UnstructuredFile' })) {
      body.set(name, value);
    }
    body.set('datasetIds', 'faq');
    body.set('file', new File(['Beavers build.'], 'a.txt'));
    const answer = await send('wait=60', 'POST', `${DOCUMENTS}/upload`, {}, body);
    expect(answer).toMatchObject({ applied: SEARCHABLE, body: { status: 'created' } });
    expect(await find('beavers')).toEqual(['Beavers build.']);
  });

  test('an upsert, also one that changes nothing', async () => {
    const body = { externalId: 'x', ...TENANT_UNIT, documentContent: 'Moles tunnel.' };
    const upsert = () =>
      send('wait=60', 'PUT', externalPath('x'), { ...TENANT, datasetIds: '["faq"]' }, body);
    expect(await upsert()).toMatchObject({ applied: SEARCHABLE, body: { status: 'created' } });
    expect(await find('moles')).toEqual(['Moles tunnel.']);
    expect(await upsert()).toMatchObject({ applied: SEARCHABLE, body: { status: 'ready' } });
  });

  test('a change of a document, and its switching off and on', async () => {
    const { id } = await prepare('Otters swim.');
    const changed = await patch('wait=60', id, { documentContent: 'Minks swim.' });
    expect(changed).toMatchObject({ applied: SEARCHABLE, body: { status: 'created' } });
    expect(await find('otters minks')).toEqual(['Minks swim.']);
    for (const enabled of [false, true]) {
      expect(await send('wait=60', 'PATCH', `${DOCUMENTS}/${id}/toggle`, TENANT, { enabled })).toEqual({
        applied: SEARCHABLE,
        body: {},
      });
      expect(await find('minks')).toEqual(enabled ? ['Minks swim.'] : []);
    }
  });

  test('changes of chunks', async () => {
    const { id, chunk, chunkPath } = await prepare('Hares run.');
    const expected = { applied: SEARCHABLE, body: {} };
    expect(await send('wait=60', 'PATCH', chunkPath, TENANT, { content: 'Rabbits run.' })).toEqual(expected);
    expect(await find('hares rabbits')).toEqual(['Rabbits run.']);
    const status = { status: 'inactive' };
    expect(await send('wait=60', 'PATCH', `${chunkPath}/status`, TENANT_UNIT, status)).toEqual(expected);
    const batch = `${DOCUMENTS}/${id}/documentChunks/batch`;
    const documentChunkIds = [chunk.id];
    expect(
      // Chunk ids are unique everywhere, so the tenant may be left out.
      await send(
        'wait=60',
        'PATCH',
        `${batch}/status`,
        { tenantUnitId: TENANT_UNIT.tenantUnitId },
        {
          status: 'active',
          documentChunkIds,
        },
      ),
    ).toEqual(expected);
    expect(await find('rabbits')).toEqual(['Rabbits run.']);
    expect(await send('wait=60', 'DELETE', batch, {}, { documentChunkIds })).toEqual(expected);
    expect(await find('rabbits')).toEqual([]);
  });

  test('a document without a source, or in no dataset, has nothing to wait for', async () => {
    expect((await create('wait=60', {})).applied).toBe(SEARCHABLE);
    expect((await create('wait=60', { documentContent: 'Lynxes hide.' }, {})).applied).toBe(SEARCHABLE);
  });

  test('what fails ends the waiting', async () => {
    const { applied, body } = await create('wait=60', { documentContent: ' ' });
    expect({ applied, status: body.status }).toEqual({
      applied: 'wait=60, searchable=false',
      status: 'created',
    });
    // The chunks of a document that fails later still serve.
    const { id, chunkPath } = await prepare('Stoats hunt.');
    expect((await patch('wait=60', id, { documentContent: ' ' })).applied).toBe('wait=60, searchable=false');
    expect((await send('wait=60', 'PATCH', chunkPath, TENANT, { content: 'Stoats play.' })).applied).toBe(
      'wait=60, searchable=true',
    );
    expect(await find('stoats')).toEqual(['Stoats play.']);
  });

  test('what takes longer is answered when the time is over', async () => {
    expect((await createSlow('wait=0')).applied).toBe('wait=0, searchable=false');
    expect((await createSlow('respond-async, wait=1')).applied).toBe('wait=1, searchable=false');
  });

  test.each(['', 'respond-async', 'wait', 'wait=soon', 'wait=-1', 'wait=1.5', 'foo="wait=1'])(
    'a preference for %j is no preference to wait',
    async (prefer) => {
      expect((await createSlow(prefer)).applied).toBeNull();
    },
  );

  test('several header lines are one list', async () => {
    const lines: [string, string][] = [
      ['content-type', 'application/json'],
      ['prefer', 'respond-async'],
      ['prefer', 'Wait="999"; why=not'],
    ];
    const answer = await fetch(new URL(`${DOCUMENTS}?tenantId=acme`, app.address), {
      method: 'POST',
      headers: lines,
      body: JSON.stringify({ ...TENANT_UNIT, documentType: 'UnstructuredFile' }),
    });
    expect(answer.headers.get('preference-applied')).toBe('wait=60, searchable=true');
  });

  test('a change that is refused is refused at once, and endpoints that change no text do not wait', async () => {
    const headers = { prefer: 'wait=60' };
    const body = { enabled: true };
    const refused = await app.request('PATCH', `${DOCUMENTS}/absent`, { query: TENANT, body, headers });
    expect(refused.status).toBe(404);
    expect(refused.headers.get('preference-applied')).toBeNull();
    const read = await app.request('GET', DOCUMENTS, { query: TENANT, headers });
    expect(read.headers.get('preference-applied')).toBeNull();
  });

  test('front ends wait through a procedure', async () => {
    const { documents } = app.trpc();
    const wait = (documentId: string, more: object = {}) =>
      documents.waitUntilSearchable.query({ scope: TENANT, documentId, seconds: 60, ...more });
    const { id } = await documents.create.mutate({
      scope: TENANT_UNIT,
      documentType: 'UnstructuredFile',
      datasetIds: ['faq'],
      documentContent: 'Voles gnaw.',
    });
    expect(await wait(id)).toEqual({ searchable: true });
    expect(await find('voles')).toEqual(['Voles gnaw.']);
    await expect(wait('absent')).rejects.toMatchObject({
      data: { code: 'NOT_FOUND', detail: [{ loc: ['documentId'] }] },
    });
    await expect(wait(id, { seconds: 61 })).rejects.toMatchObject({
      data: { code: 'UNPROCESSABLE_CONTENT', detail: [{ loc: ['seconds'] }] },
    });
  });

  test('stops waiting when the client disconnects', async () => {
    const { searchableWaits } = app.app.services;
    const { waitUntilSearchable } = searchableWaits;
    const waits: Promise<unknown>[] = [];
    searchableWaits.waitUntilSearchable = (...given) => {
      const wait = waitUntilSearchable(...given);
      waits.push(wait);
      return wait;
    };
    const leaving = new AbortController();
    const answer = fetch(new URL(`${DOCUMENTS}?tenantId=slow`, app.address), {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=60' },
      body: JSON.stringify(slow),
      signal: leaving.signal,
    });
    await waitFor(() => waits.length > 0, { what: 'the request to wait' });
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(await waits[0]).toEqual({ searchable: false });
    searchableWaits.waitUntilSearchable = waitUntilSearchable;
  });

  test('shutdown answers waiting requests', async () => {
    const database = await createTestDatabase();
    const stopping = await createApp(
      { ...readConfig({}), dataDir: app.dataDir },
      {
        database: { url: database.url, description: 'test', stop: async () => {} },
        log: pino({ level: 'silent' }),
      },
    );
    // Without a worker, documents wait for ever.
    stopping.http.listen(0, '127.0.0.1');
    await once(stopping.http, 'listening');
    const { port } = stopping.http.address() as AddressInfo;
    const documents = `http://127.0.0.1:${port}${DOCUMENTS}?tenantId=acme`;
    const answer = fetch(documents, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=60' },
      body: JSON.stringify({
        ...TENANT_UNIT,
        documentType: 'UnstructuredFile',
        documentContent: 'Newts rest.',
      }),
    });
    const isCreated = async () =>
      ((await (await fetch(documents)).json()) as Json).pagination.totalCount === 1;
    await waitFor(isCreated, { what: 'the document' });
    await stopping.close();
    expect((await answer).headers.get('preference-applied')).toBe('wait=60, searchable=false');
    await database.drop();
  });
});

describe('with Meilisearch', async () => {
  const server = await startMeilisearch();
  const keys = { apiKey: server.masterKey, adminKey: server.masterKey };
  const app = useApp({
    meilisearch: { url: server.url, ...keys, prefix: 'wait_', searchTimeoutMs: 10_000 },
  });
  afterAll(() => server.close());
  const { create, patch, send, prepare, find } = preferring(app);

  beforeAll(async () => {
    await waitFor(async () => (await app.get('/readyz')).body.search === 'ok', { what: 'the search server' });
  });

  test('what is written is found when the index has it', async () => {
    expect((await create('wait=60', { documentContent: 'Newts crawl.' })).applied).toBe(SEARCHABLE);
    expect(await find('newts')).toEqual(['Newts crawl.']);
    const { id, chunkPath } = await prepare('Toads croak.');
    expect((await patch('wait=60', id, { enabled: true })).applied).toBe(SEARCHABLE);

    server.holdTasks();
    const created = await create('', { documentContent: 'Frogs leap.' });
    await app.settle();
    const ref = { scope: TENANT, documentId: created.body.id };
    expect(await app.trpc().documents.waitUntilSearchable.query({ ...ref, seconds: 0 })).toEqual({
      searchable: false,
    });
    const held = 'wait=0, searchable=false';
    expect((await send('wait=0', 'PATCH', chunkPath, TENANT, { content: 'Toads hop.' })).applied).toBe(held);
    expect((await patch('wait=0', id, { customProperties: { a: 1 } })).applied).toBe(held);
    // What is hidden is not found any more, whatever the index says.
    const status = (status: string) =>
      send('wait=0', 'PATCH', `${chunkPath}/status`, TENANT_UNIT, { status }).then(({ applied }) => applied);
    expect(await status('inactive')).toBe('wait=0, searchable=true');
    expect(await find('toads')).toEqual([]);
    expect(await status('active')).toBe(held);
    expect((await patch('wait=0', id, { enabled: false })).applied).toBe('wait=0, searchable=true');

    server.releaseTasks();
    expect((await patch('wait=60', id, { enabled: true })).applied).toBe(SEARCHABLE);
    expect(await find('toads')).toEqual(['Toads hop.']);
  });

  test('a quarantined chunk ends the wait', async () => {
    const { chunk, chunkPath } = await prepare('Salamanders sleep.');
    expect((await send('wait=60', 'PATCH', chunkPath, TENANT, { keywords: ['nap'] })).applied).toBe(
      SEARCHABLE,
    );
    server.failTasksWith(chunk.id);
    expect((await send('wait=60', 'PATCH', chunkPath, TENANT, { keywords: ['doze'] })).applied).toBe(
      'wait=60, searchable=false',
    );
    server.failTasksWith();
    expect((await send('wait=60', 'PATCH', chunkPath, TENANT, { keywords: ['rest'] })).applied).toBe(
      SEARCHABLE,
    );
  });
});
