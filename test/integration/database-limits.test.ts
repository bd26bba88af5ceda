import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectDatabase } from '../../db/client.js';
import { readConfig } from '../../src/config/config.js';
import { useApp } from '../support/app.js';
import { blockedStatements } from '../support/blocked-statements.js';
import { openStream, progressUrl } from '../support/sse-client.js';
import { CONVERSATIONS, DOCUMENTS, TENANT_UNIT } from './support/rest-client.js';

const TENANT = { tenant_id: 'acme' };
const pools = readConfig({}).databasePools;

const unavailable = (msg: string) => ({
  status: 503,
  retryAfter: '2',
  body: { detail: [{ type: 'unavailable', loc: [], msg }] },
});

describe('a statement of a request', () => {
  const app = useApp({ databasePools: { ...pools, statementTimeoutMs: 300 } });

  async function send(method: string, route: string, body?: unknown) {
    const answer = await app.request(method, route, { query: TENANT, ...(body !== undefined && { body }) });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: answer.body };
  }

  test('that takes too long answers 503, and writes nothing', async () => {
    const created = await send('POST', CONVERSATIONS, { topic: 'Before' });
    const one = `${CONVERSATIONS}/${created.body.id}`;
    const tooSlow = unavailable(
      'The database did not answer in time, and nothing was changed; try again later, or ask for less at once.',
    );
    await app.db.transaction().execute(async (tx) => {
      // Held until all have been answered.
      await sql`lock table conversations in access exclusive mode`.execute(tx);
      expect(await send('GET', CONVERSATIONS)).toEqual(tooSlow);
      expect(await send('GET', one)).toEqual(tooSlow);
      expect(await send('PATCH', one, { topic: 'After' })).toEqual(tooSlow);
      expect(await send('POST', CONVERSATIONS, { topic: 'Another' })).toEqual(tooSlow);
      const call = await app.get('/trpc/conversations.list?input={}');
      expect(call).toMatchObject({
        status: 503,
        body: { error: { data: { code: 'SERVICE_UNAVAILABLE', detail: tooSlow.body.detail } } },
      });
    });
    const list = await send('GET', CONVERSATIONS);
    expect(list.body.data).toMatchObject([{ topic: 'Before' }]);
    const changes = app.db.selectFrom('auditEvents').select('action').execute();
    expect(await changes).toEqual([{ action: 'conversations.create' }]);
  });
});

describe('the pool of requests', () => {
  const app = useApp({ databasePools: { ...pools, requests: 2, connectionTimeoutMs: 500 } });

  test('answers 503 when no connection becomes free in time', async () => {
    const read = (_: unknown, i: number) => app.get(`${CONVERSATIONS}/unknown`, { tenant_id: `tenant-${i}` });
    // On a busy machine, a new connection takes longer than one may be waited for.
    const connect = async () =>
      (await Promise.all(Array.from({ length: 2 }, read))).map(({ status }) => status);
    await expect.poll(connect).toEqual([404, 404]);
    const answers = await app.db.transaction().execute(async (tx) => {
      await sql`lock table conversations in access exclusive mode`.execute(tx);
      const reads = Array.from({ length: 5 }, read);
      let answered = 0;
      for (const read of reads) read.then(() => answered++);
      const early = await Promise.race(reads);
      expect({
        status: early.status,
        retryAfter: early.headers.get('retry-after'),
        body: early.body,
      }).toEqual(unavailable('All connections to the database are in use; try again in a moment.'));
      await expect.poll(() => answered).toBe(3);
      return { reads };
    });
    const statuses = (await Promise.all(answers.reads)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([404, 404, 503, 503, 503]);
  });

  test('is free while uploads arrive and streams are open', async () => {
    const uploads = Array.from({ length: 5 }, () => {
      const arriving = new TransformStream<Uint8Array, Uint8Array>();
      const writer = arriving.writable.getWriter();
      const answer = fetch(`${app.address}/trpc/files.upload`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: arriving.readable,
        duplex: 'half',
      } as RequestInit);
      return { writer, answer };
    });
    for (const { writer } of uploads) await writer.write(Buffer.alloc(100_000, 'a'));
    const { body: document } = await app.request('POST', DOCUMENTS, {
      query: { tenantId: TENANT_UNIT.tenantId },
      body: { ...TENANT_UNIT, documentType: 'UnstructuredFile' },
    });
    const streams = await Promise.all(
      Array.from({ length: 5 }, () =>
        openStream(progressUrl(app.address, { tenantId: TENANT_UNIT.tenantId }, [document.id])),
      ),
    );
    for (let i = 0; i < 10; i++) expect((await app.get(CONVERSATIONS, TENANT)).status).toBe(200);
    for (const stream of streams) stream.close();
    for (const { writer } of uploads) await writer.close();
    for (const { answer } of uploads) expect((await answer).status).toBe(200);
  });
});

describe('a client that disconnects', () => {
  // No statement ends by itself before a test gives up.
  const app = useApp({ databasePools: { ...pools, statementTimeoutMs: 600_000 } });
  const withKeys = useApp({ authMode: 'required' });

  const waitingStatements = ({ db } = app) => blockedStatements(db);

  test.each([
    ['a list', CONVERSATIONS],
    ['a call', '/trpc/conversations.list?input={}'],
    ['a batch of calls', '/trpc/conversations.list,conversations.list?batch=1&input={"0":{},"1":{}}'],
  ])('ends %s in PostgreSQL as well', async (_what, route) => {
    await app.db.transaction().execute(async (tx) => {
      await sql`lock table conversations in access exclusive mode`.execute(tx);
      const leaving = new AbortController();
      const answer = fetch(new URL(route, app.address), { signal: leaving.signal });
      answer.catch(() => {});
      await expect.poll(waitingStatements).not.toEqual([]);
      leaving.abort();
      await expect.poll(waitingStatements).toEqual([]);
    });
    expect((await app.get(CONVERSATIONS, TENANT)).status).toBe(200);
  });

  test.each([
    [
      'a retrieval of Dify',
      '/integrations/dify/retrieval',
      { knowledge_id: 'faq', query: 'harbour', retrieval_setting: {} },
    ],
    [
      'a search of a vector store',
      '/integrations/openai/v1/vector_stores/vs_faq/search',
      { query: 'harbour' },
    ],
  ])('ends %s in PostgreSQL as well, though it is a POST', async (_what, path, question) => {
    const lookups = async () => (await waitingStatements()).filter((query) => /tenant_unit_id/.test(query));
    await app.db.transaction().execute(async (tx) => {
      // The units of the tenant are looked up there.
      await sql`lock table documents in access exclusive mode`.execute(tx);
      const leaving = new AbortController();
      const answer = fetch(new URL(`${path}?tenantId=acme`, app.address), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(question),
        signal: leaving.signal,
      });
      answer.catch(() => {});
      await expect.poll(lookups).not.toEqual([]);
      leaving.abort();
      await expect.poll(lookups).toEqual([]);
    });
  });

  test('has no further statement of its transaction executed', async () => {
    const owner = {};
    const cancelBackend = (processId: number) =>
      sql`select pg_cancel_backend(${processId}::integer)`.execute(app.db);
    const client = connectDatabase(app.databaseUrl, {
      cancellation: { currentOwner: () => owner, cancelBackend },
    });
    try {
      const reading = client.db.connection().execute(async (session) => {
        await sql`select 1`.execute(session);
        client.cancelStatements(owner);
        // While it is cancelled, nothing is executed.
        await delay(200);
        await sql`select pg_sleep(600)`.execute(session);
      });
      await expect(reading).rejects.toMatchObject({ code: '57014' });
    } finally {
      await client.close();
    }
  });

  test('does not end the search of another who waits for the same', async () => {
    const input = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'harbour' };
    const route = new URL(
      `/trpc/chunks.search?input=${encodeURIComponent(JSON.stringify(input))}`,
      app.address,
    );
    const answer = await app.db.transaction().execute(async (tx) => {
      // Read once for the searches of 200 ms.
      await sql`lock table search_synonyms in access exclusive mode`.execute(tx);
      const leaving = new AbortController();
      fetch(route, { signal: leaving.signal }).catch(() => {});
      const staying = fetch(route);
      await expect.poll(waitingStatements).not.toEqual([]);
      leaving.abort();
      // Enough for the cancellation: nobody can see it, where the other reads again.
      await delay(500);
      return { staying };
    });
    expect((await answer.staying).status).toBe(200);
  });

  test('while its key is looked up has nothing read in PostgreSQL', async () => {
    const headers = { 'x-api-key': (await withKeys.makeKey()).key };
    const { http } = withKeys.app;
    const countConnections = promisify<number>((done) => http.getConnections(done));
    await withKeys.db.transaction().execute(async (tx) => {
      await sql`lock table conversations in access exclusive mode`.execute(tx);
      await sql`savepoint before_keys`.execute(tx);
      await sql`lock table api_keys in access exclusive mode`.execute(tx);
      const leaving = new AbortController();
      const route = new URL(`${CONVERSATIONS}?tenant_id=acme`, withKeys.address);
      fetch(route, { headers, signal: leaving.signal }).catch(() => {});
      await expect.poll(() => waitingStatements(withKeys)).toHaveLength(1);
      leaving.abort();
      await expect.poll(countConnections).toBe(0);
      await sql`rollback to before_keys`.execute(tx);
      const later = await withKeys.request('GET', DOCUMENTS, { query: { tenantId: 'acme' }, headers });
      expect(later.status).toBe(200);
      expect(await waitingStatements(withKeys)).toEqual([]);
    });
  });

  test('does not end what others ask for', async () => {
    const { others } = await app.db.transaction().execute(async (tx) => {
      await sql`lock table conversations in access exclusive mode`.execute(tx);
      const leaving = new AbortController();
      const others = Array.from({ length: 3 }, () => app.get(`${CONVERSATIONS}/unknown`, TENANT));
      fetch(`${app.address}${CONVERSATIONS}/unknown`, { signal: leaving.signal }).catch(() => {});
      const count = async () => (await waitingStatements()).length;
      await expect.poll(count).toBe(4);
      leaving.abort();
      await expect.poll(count).toBe(3);
      return { others };
    });
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('does not undo what it has begun to write', async () => {
    await app.db.transaction().execute(async (tx) => {
      await sql`lock table conversations in access exclusive mode`.execute(tx);
      const leaving = new AbortController();
      const create = fetch(`${app.address}${CONVERSATIONS}?tenant_id=writes`, {
        method: 'POST',
        signal: leaving.signal,
      });
      create.catch(() => {});
      await expect.poll(waitingStatements).not.toEqual([]);
      leaving.abort();
      await create.catch(() => {});
    });
    const list = () => app.get(CONVERSATIONS, { tenant_id: 'writes' });
    await expect.poll(async () => (await list()).body.total_count).toBe(1);
  });
});
