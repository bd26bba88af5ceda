import { Meilisearch } from 'meilisearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { INDEX_SETTINGS } from '../../src/search/meilisearch/settings.js';
import { waitForTask } from '../../src/search/meilisearch/tasks.js';
import { useSearch } from '../integration/support/search-service.js';
import { useApp } from '../support/app.js';
import { openSearchServer } from '../support/search-server.js';
import { waitFor } from '../support/wait-for.js';

const server = await openSearchServer();
afterAll(() => server.close());
const config = (name: string) => ({ ...server.config, prefix: `${server.config.prefix}${name}_` });
const admin = new Meilisearch({ host: server.config.url, apiKey: server.config.adminKey ?? '' });

const BIRDS = {
  herons: 'Herons stand in the reed.',
  geese: 'Geese hide in the reed.',
  ducks: 'Ducks nest in the reed.',
};
const ALL = Object.keys(BIRDS).sort();

/** Every answer of a search until it is over. */
function watch(find: () => Promise<string[] | number>) {
  const seen = new Set<string>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) seen.add(JSON.stringify(await find()));
  })();
  return async () => {
    isOver = true;
    await watching;
    return [...seen].sort();
  };
}

describe('an index that was', () => {
  const meilisearch = config('lost');
  const { app, find, add, outbox, untilInStep, createDocument, firstChunk, editChunk } = useSearch(
    meilisearch,
    BIRDS,
  );
  const uid = `${meilisearch.prefix}chunks`;
  const index = admin.index(uid);
  const generation = async () =>
    (await app.db.selectFrom('searchIndex').select('generation').executeTakeFirstOrThrow()).generation;

  /** Does something to the index, and waits until it is filled anew; tells what was found meanwhile. */
  async function untilFilledAfter(hurt: () => Promise<unknown>) {
    const before = await generation();
    const stop = watch(() => find('reed'));
    await hurt();
    await waitFor(async () => (await generation()) > before);
    await waitFor(async () => (await app.get('/readyz')).body.search === 'ok');
    await untilInStep();
    return stop();
  }
  const ANSWERS = [JSON.stringify(ALL), '503'].sort();

  test('emptied is filled anew, and searches answer 503 until it is', async () => {
    expect(
      await untilFilledAfter(async () => waitForTask(admin, (await index.deleteAllDocuments()).taskUid)),
    ).toEqual(ANSWERS);
  });

  test('deleted is made and filled anew', async () => {
    expect(await untilFilledAfter(async () => waitForTask(admin, (await index.delete()).taskUid))).toEqual(
      ANSWERS,
    );
    expect(await index.getSettings()).toMatchObject({ proximityPrecision: 'byAttribute' });
  });

  test('put back to an older state is filled anew', async () => {
    const { results: old } = await index.getDocuments({ limit: 1_000, fields: ['*'] });
    await add({ terns: 'Terns dive.' });
    await untilInStep();
    await untilFilledAfter(async () => {
      await index.deleteAllDocuments();
      await waitForTask(admin, (await index.addDocuments(old)).taskUid);
    });
    expect(await find('terns')).toEqual(['terns']);
  });

  test('put back to before a deletion is filled anew', async () => {
    const chunk = await firstChunk((await add({ coots: 'Coots dive.' })).coots ?? '');
    await untilInStep();
    const { results: old } = await index.getDocuments({ limit: 1_000, fields: ['*'] });
    await app.request('DELETE', `/admin/api/v1/documents/${chunk.documentId}`, {
      query: { tenantId: 'acme' },
    });
    await untilInStep();
    await untilFilledAfter(async () => waitForTask(admin, (await index.addDocuments(old)).taskUid));
  });

  test('made again by somebody else gets its settings', async () => {
    await untilFilledAfter(async () => {
      await index.delete();
      await waitForTask(admin, (await admin.createIndex(uid, { primaryKey: 'id' })).taskUid);
    });
    expect((await index.getSettings()).typoTolerance).toMatchObject(INDEX_SETTINGS.typoTolerance);
  });

  test('emptied while changes arrive is filled anew', async () => {
    await createDocument({ documentName: 'swans', documentContent: 'Swans hiss.' }, ['faq']);
    await app.settle();
    await waitFor(async () => (await find('swans'))?.toString() === 'swans');
    const chunk = (await app.db.selectFrom('chunks').select(['id', 'documentId']).execute()).at(-1);
    let isOver = false;
    const editing = (async () => {
      for (let i = 0; chunk && !isOver; i++) await editChunk(chunk, { content: `Swans hiss ${i} times.` });
    })();
    try {
      await untilFilledAfterwards();
    } finally {
      isOver = true;
      await editing;
    }
    await waitFor(async () => (await outbox()).length === 0);
    await untilInStep();
  });

  async function untilFilledAfterwards() {
    const before = await generation();
    await waitForTask(admin, (await index.deleteAllDocuments()).taskUid);
    await waitFor(async () => (await generation()) > before);
  }
});

describe('with a key that may not make indexes', () => {
  const meilisearch = { ...config('scoped'), adminKey: undefined };
  const scoped = { ...meilisearch, apiKey: '' };
  beforeAll(async () => {
    const key = await admin.createKey({
      actions: ['search', 'documents.*', 'indexes.get', 'settings.get', 'stats.get', 'tasks.get'],
      indexes: [`${meilisearch.prefix}*`],
      expiresAt: null,
    });
    scoped.apiKey = key.key;
  });
  const app = useApp({ meilisearch: scoped });

  test('what is missing is told with the command that makes it', async () => {
    const reason = async () =>
      (await app.db.selectFrom('searchIndex').select('error').executeTakeFirst())?.error ?? '';
    await waitFor(async () => (await reason()) !== '');
    expect(await reason()).toContain('lectern search reindex');
    await waitFor(async () => (await app.get('/readyz')).body.search === 'degraded');

    const uid = `${meilisearch.prefix}chunks`;
    await waitForTask(admin, (await admin.createIndex(uid, { primaryKey: 'id' })).taskUid);
    await waitForTask(admin, (await admin.index(uid).updateSettings(INDEX_SETTINGS)).taskUid);
    await waitFor(async () => (await app.get('/readyz')).body.search === 'ok');
    expect(connectMeilisearch(scoped).adminClient).toBeUndefined();
  });
});
