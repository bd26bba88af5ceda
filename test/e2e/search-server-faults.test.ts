import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { rebuildIndex } from '../../src/search/meilisearch/rebuild.js';
import { SEARCH, TENANT, TENANT_UNIT } from '../integration/support/rest-client.js';
import { useSearch } from '../integration/support/search-service.js';
import { startMeilisearch } from '../support/meilisearch/server.js';
import { waitFor } from '../support/wait-for.js';

const server = await startMeilisearch();
afterAll(() => server.close());
const config = (prefix: string) => ({
  url: server.url,
  apiKey: undefined,
  adminKey: server.masterKey,
  prefix,
  searchTimeoutMs: 2_000,
});

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

/** What makes the search server useless, and what makes it well again. */
const FAULTS: [string, () => Promise<void> | void, () => Promise<void> | void][] = [
  ['is down', () => server.stop(), () => server.start()],
  ['hangs', () => server.delayAnswers(6_000), () => server.delayAnswers(0)],
  ['breaks connections', () => server.answerWith('reset'), () => server.answerWith()],
  [
    'is behind a proxy that fails',
    () => server.answerWith({ status: 502, headers: html, body: '<h1>502 Bad Gateway</h1>' }),
    () => server.answerWith(),
  ],
  [
    'answers 400 to everything',
    () => server.answerWith({ status: 400, headers: json, body: '{"message":"no","code":"bad_request"}' }),
    () => server.answerWith(),
  ],
  [
    'answers garbage',
    () => server.answerWith({ status: 200, headers: json, body: '{"status":' }),
    () => server.answerWith(),
  ],
  [
    'is something else',
    () => server.answerWith({ status: 200, headers: json, body: '{}' }),
    () => server.answerWith(),
  ],
];

describe('while the search server', () => {
  const service = useSearch(config('away_'), {
    herons: 'Herons stand still in the water.',
    geese: 'Geese fly in a wedge.',
  });
  const { app, find, add, untilFound, outbox, untilInStep, firstChunk, editChunk } = service;

  test.each(FAULTS)(
    '%s, writes go on, searches answer 503, and all is made up for',
    async (what, hurt, heal) => {
      const word = `w${what.replace(/\W/g, '')}`;
      await hurt();
      const { [word]: id = '' } = await add({ [word]: `A ${word} arrives.` });
      const answer = await app.request('POST', SEARCH, {
        query: TENANT,
        body: {
          tenant_id: TENANT_UNIT.tenantId,
          tenant_unit_id: TENANT_UNIT.tenantUnitId,
          dataset_ids: ['faq'],
          query: word,
        },
      });
      expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
        status: 503,
        retryAfter: expect.stringMatching(/^\d+$/),
      });
      const chunk = await firstChunk(id);
      await editChunk(chunk, { content: `A ${word} arrives edited.` });
      expect(await outbox()).toEqual([{ chunkId: chunk.id, taskUid: null, error: null }]);

      await heal();
      await untilFound(word, [word]);
      await untilInStep();
      expect(await find('herons')).toEqual(['herons']);
    },
  );

  test('has lost all its data, searches answer 503 until it is filled anew', async () => {
    const before = await find('water wedge');
    expect(before).toEqual(['geese', 'herons']);
    server.holdTasks();
    await server.stop();
    await server.start({ isEmpty: true });
    expect(await find('water wedge')).toBe(503);
    server.releaseTasks();
    const seen = new Set<string>();
    await waitFor(async () => {
      const found = await find('water wedge');
      seen.add(JSON.stringify(found));
      return found !== 503;
    });
    expect([...seen].filter((found) => found !== '503')).toEqual([JSON.stringify(before)]);
    await untilInStep();
  });
});

describe('when tasks fail', () => {
  const service = useSearch(config('tasks_'));
  const { add, untilFound, outbox, syncError, differences, untilInStep, firstChunk, editChunk } = service;
  const names = Array.from({ length: 9 }, (_, i) => `kite${i}`);
  const kites = (word: string) =>
    Object.fromEntries(names.map((name) => [name, `The ${name} is one of the ${word}.`]));

  test('the one chunk at fault is set aside with its error, and its next edit brings it back', async () => {
    server.holdTasks();
    const ids = await add(kites('falcons'));
    const culprit = await firstChunk(ids.kite4 ?? '');
    server.failTasksWith(culprit.id);
    server.releaseTasks();
    await waitFor(async () => (await outbox()).every(({ error }) => error !== null));
    expect(await outbox()).toEqual([
      { chunkId: culprit.id, taskUid: null, error: expect.stringContaining('index out of bounds') },
    ]);
    expect(await differences()).toEqual([]);

    server.failTasksWith();
    await editChunk(culprit, { content: 'The kite4 is one of the falcons again.' });
    await untilInStep();
    await untilFound('falcons', names);
  });

  test('of a server that takes nothing, nothing is set aside', async () => {
    const internal = { status: 500, code: 'internal', message: 'MDB_CORRUPTED', type: 'internal' };
    server.failTasks(Object.assign(new Error(internal.message), internal) as never);
    await add(kites('harriers'));
    await waitFor(async () => (await syncError()) !== '');
    expect((await outbox()).filter(({ error }) => error !== null)).toEqual([]);
    server.failTasks(null);
    await untilFound('harriers', names);
    await untilInStep();
  });

  test('for want of room, all arrive when there is room', async () => {
    server.failTasks();
    await add(kites('buzzards'));
    await waitFor(async () => (await syncError()).includes('No space left'));
    expect((await outbox()).filter(({ error }) => error !== null)).toEqual([]);
    server.failTasks(null);
    await untilFound('buzzards', names);
    await untilInStep();
  });

  test('a full disk is waited out', async () => {
    server.fillDisk();
    await add(kites('ospreys'));
    await waitFor(async () => (await syncError()).includes('No space left'));
    expect((await outbox()).filter(({ error }) => error !== null)).toEqual([]);
    expect(await service.find('falcons')).not.toBe(503);
    server.freeDisk();
    await untilFound('ospreys', names);
    await untilInStep();
  });

  test('a disk that fills while a task is processed is waited out', async () => {
    server.holdTasks();
    await add(kites('eagles'));
    await waitFor(async () => (await outbox()).some(({ taskUid }) => taskUid !== null));
    server.fillDisk();
    server.releaseTasks();
    expect(await service.find('falcons')).not.toBe(503);
    server.freeDisk();
    await untilFound('eagles', names);
    await untilInStep();
  });

  test('a change sent after the failed task is not undone by sending its parts again', async () => {
    await server.stop();
    const ids = await add({ robin: 'The robin sings alto.', wren: 'The wren sings bass.' });
    const [robin, wren] = [await firstChunk(ids.robin ?? ''), await firstChunk(ids.wren ?? '')];
    const taskOf = async ({ id }: { id: string }) =>
      (await outbox()).find(({ chunkId }) => chunkId === id)?.taskUid ?? null;
    // So many that the next batches are sent before anybody looks at what became of the first.
    const queueMany = (name: string) =>
      sql`insert into search_outbox (tenant_id, chunk_id) select '', ${name} || n from generate_series(1, 4000) as n`.execute(
        service.app.db,
      );
    await queueMany('before');
    server.holdTasks();
    await server.start();
    server.delayAnswers(500);
    await waitFor(async () => (await taskOf(robin)) !== null);
    await editChunk(robin, { content: 'The robin sings tenor.' });
    await queueMany('after');
    await waitFor(async () => (await taskOf(robin)) !== null);
    server.delayAnswers(0);
    server.failTasksWith(wren.id);
    server.releaseTasks();
    await waitFor(async () => (await outbox()).every(({ error }) => error !== null));
    expect((await outbox()).map(({ chunkId }) => chunkId)).toEqual([wren.id]);
    expect(await differences()).toEqual([]);
    server.failTasksWith();
  });

  test('of a rebuild, the one chunk at fault is set aside, and the others are in the new index', async () => {
    const ids = await add(kites('hobbies'));
    await waitFor(async () => (await outbox()).every(({ error }) => error !== null));
    const before = (await outbox()).map(({ chunkId }) => chunkId);
    const culprit = await firstChunk(ids.kite7 ?? '');
    server.failTasksWith(culprit.id);
    await rebuildIndex({ db: service.app.db, server: connectMeilisearch(config('tasks_')) });
    const after = (await outbox()).map(({ chunkId }) => chunkId);
    expect(after).toEqual([...before, culprit.id].sort());
    expect(await differences()).toEqual([]);

    server.failTasksWith();
    await editChunk(culprit, { content: 'The kite7 is one of the hobbies again.' });
    await waitFor(async () => !(await outbox()).some(({ chunkId }) => chunkId === culprit.id));
    expect(await differences()).toEqual([]);
  });
});

describe('a task on its way', () => {
  const service = useSearch(config('way_'));
  const { app, add, outbox, syncError, untilInStep, firstChunk, editChunk } = service;

  test('does not hide that its chunk changed again', async () => {
    server.holdTasks();
    const { crane = '' } = await add({ crane: 'The crane dances at dawn.' });
    await waitFor(async () => (await outbox())[0]?.taskUid != null);
    const chunk = await firstChunk(crane);
    await editChunk(chunk, { content: 'The crane dances at dusk.' });
    expect(await outbox()).toEqual([{ chunkId: chunk.id, taskUid: null, error: null }]);
    server.releaseTasks();
    await untilInStep();
  });

  test('does not hide that the index was emptied before it', async () => {
    const ids = await add({ snipe: 'The snipe drums.', crake: 'The crake rasps.' });
    const chunk = await firstChunk(ids.snipe ?? '');
    await untilInStep();
    const generation = async () =>
      (await app.db.selectFrom('searchIndex').select('generation').executeTakeFirstOrThrow()).generation;
    const before = await generation();
    server.holdTasks();
    const headers = { authorization: `Bearer ${server.masterKey}` };
    await fetch(`${server.url}/indexes/way_chunks/documents`, { method: 'DELETE', headers });
    await editChunk(chunk, { content: 'The snipe drums again.' });
    await waitFor(async () => (await outbox())[0]?.taskUid != null);
    server.releaseTasks();
    await waitFor(async () => (await generation()) > before);
    await untilInStep();
    expect(await service.find('crake')).toEqual(['crake']);
  });

  test('that was never acknowledged is not sent twice', async () => {
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not acknowledged'; end $$
    `.execute(app.db);
    await sql`
      create trigger refuse before delete on search_outbox for each row execute function refuse()
    `.execute(app.db);
    await add({ stork: 'The stork nests on the roof.' });
    await waitFor(async () => (await syncError()).includes('not acknowledged'));
    const [row] = await outbox();
    expect(row).toMatchObject({ taskUid: expect.any(Number), error: null });
    await sql`drop trigger refuse on search_outbox`.execute(app.db);
    await sql`drop function refuse()`.execute(app.db);
    await untilInStep();
    expect(await additionsAfter(row?.taskUid ?? 0)).toBe(0);
  });
});

/** How many tasks have brought documents since. */
async function additionsAfter(taskUid: number): Promise<number> {
  const query = new URLSearchParams({ types: 'documentAdditionOrUpdate', limit: '1000' });
  const headers = { authorization: `Bearer ${server.masterKey}` };
  const answer = await fetch(`${server.url}/tasks?${query}`, { headers });
  const { results } = (await answer.json()) as {
    results: { uid: number; details: { receivedDocuments: number } }[];
  };
  // A checkpoint alone is no chunk.
  return results.filter(({ uid, details }) => uid > taskUid && details.receivedDocuments > 1).length;
}
