import { Meilisearch } from 'meilisearch';
import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { INDEX_SETTINGS } from '../../src/search/meilisearch/settings.js';
import { type IndexSync, startIndexSync } from '../../src/search/meilisearch/sync.js';
import { waitForTask } from '../../src/search/meilisearch/tasks.js';
import { useApp } from '../support/app.js';
import { openSearchServer } from '../support/search-server.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient } from './support/rest-client.js';
import { useSearch } from './support/search-service.js';

const server = await openSearchServer();
afterAll(() => server.close());
const config = (name: string) => ({ ...server.config, prefix: `${server.config.prefix}${name}_` });
const admin = new Meilisearch({ host: server.config.url, apiKey: server.config.adminKey ?? '' });

describe('another process that keeps the index', () => {
  const meilisearch = config('two');
  const { app, find, add, untilInStep } = useSearch(meilisearch, { heron: 'The heron stands in the reed.' });
  const uid = `${meilisearch.prefix}chunks`;
  const others: IndexSync[] = [];
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.stop()));
  });

  function startAnother(): void {
    others.push(
      startIndexSync({
        db: app.db,
        server: connectMeilisearch(meilisearch),
        clock: () => new Date(),
        log: pino({ level: 'silent' }),
      }),
    );
  }

  /** How many chunks were sent to the index so far; a checkpoint goes with each task. */
  async function countSent(): Promise<number> {
    const { results } = await admin.tasks.getTasks({
      indexUids: [uid],
      types: ['documentAdditionOrUpdate'],
      limit: 1_000,
    });
    return results.reduce((sum, { details }) => sum + (details?.receivedDocuments ?? 1) - 1, 0);
  }

  test('writes in turn with the first: nothing is sent twice', async () => {
    startAnother();
    startAnother();
    const before = await countSent();
    const names = Array.from({ length: 40 }, (_, i) => `tern${i}`);
    await add(Object.fromEntries(names.map((name) => [name, `The ${name} dives.`])));
    await untilInStep();
    expect((await countSent()) - before).toBe(names.length);
    expect(await find('dives')).toEqual(names.toSorted());
  });

  test('puts settings that were changed by hand right when it starts, on the spot where that is enough', async () => {
    const index = admin.index(uid);
    const { createdAt } = await admin.getRawIndex(uid);
    await waitForTask(admin, (await index.updateSettings({ rankingRules: ['words', 'typo'] })).taskUid);
    startAnother();
    await waitFor(
      async () => (await index.getSettings()).rankingRules?.length === INDEX_SETTINGS.rankingRules.length,
    );
    expect((await admin.getRawIndex(uid)).createdAt).toBe(createdAt);
  });

  test('builds the index anew where its settings ask for that', async () => {
    const { createdAt } = await admin.getRawIndex(uid);
    const change = { prefixSearch: 'disabled' as const };
    await waitForTask(admin, (await admin.index(uid).updateSettings(change)).taskUid);
    startAnother();
    await waitFor(async () => (await admin.getRawIndex(uid)).createdAt !== createdAt);
    expect((await admin.index(uid).getSettings()).prefixSearch).toBe(INDEX_SETTINGS.prefixSearch);
    await waitFor(async () => (await app.get('/readyz')).body.search === 'ok');
    await untilInStep();
    expect(await find('reed')).toEqual(['heron']);
  });
});

describe('a key that the search server refuses', () => {
  const app = useApp({
    meilisearch: { ...config('refused'), adminKey: undefined, apiKey: 'no-key-of-this-server' },
  });

  test('keeps no document away, and is told', async () => {
    await createRestClient(app).createDocument({ documentContent: 'The heron stands in the reed.' }, ['faq']);
    await app.settle();
    const state = () => app.db.selectFrom('searchIndex').select('error').executeTakeFirst();
    await waitFor(async () => (await state())?.error?.includes('lectern search keys') ?? false);
    expect(await app.db.selectFrom('searchOutbox').selectAll().execute()).toHaveLength(1);
    await waitFor(async () => (await app.get('/readyz')).body.search === 'degraded');
  });
});
