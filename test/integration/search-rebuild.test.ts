import { type IndexSwap, Meilisearch } from 'meilisearch';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { connectMeilisearch } from '../../src/search/meilisearch/connect.js';
import { type RebuildProgress, rebuildIndex } from '../../src/search/meilisearch/rebuild.js';
import { waitForTask } from '../../src/search/meilisearch/tasks.js';
import { openSearchServer } from '../support/search-server.js';
import { waitFor } from '../support/wait-for.js';
import { useSearch } from './support/search-service.js';

const server = await openSearchServer();
afterAll(() => server.close());
const admin = new Meilisearch({ host: server.config.url, apiKey: server.config.adminKey ?? '' });

const NAMES = Array.from({ length: 12 }, (_, i) => `kite${i}`);
const KITES = Object.fromEntries(NAMES.map((name) => [name, `The ${name} is a falcon.`]));
const ALL = NAMES.toSorted();
const PHASES = ['copying', 'comparing', 'swapping'] as const;

describe('building the index anew', () => {
  const meilisearch = { ...server.config, prefix: `${server.config.prefix}anew_` };
  const service = useSearch(meilisearch, KITES);
  const { app, find, add, untilInStep, createDocument, getDocument, firstChunk, editChunk, switchChunk } =
    service;
  const uid = `${meilisearch.prefix}chunks`;
  const build = (onProgress?: (progress: RebuildProgress) => void) =>
    rebuildIndex({ db: app.db, server: connectMeilisearch(meilisearch), ...(onProgress && { onProgress }) });
  const createdAt = async () => (await admin.getRawIndex(uid)).createdAt;
  /** Whether the index that was replaced is still there. */
  const leftovers = async () => {
    const { generation } = await app.db.selectFrom('searchIndex').selectAll().executeTakeFirstOrThrow();
    const names = Array.from({ length: generation }, (_, i) => `${uid}_${i + 1}`);
    const found = await Promise.all(names.map((name) => admin.getRawIndex(name).catch(() => undefined)));
    return found.flatMap((index) => index?.uid ?? []);
  };
  const rebuild = async () =>
    (await app.db.selectFrom('searchIndex').select('rebuild').executeTakeFirstOrThrow()).rebuild;

  /** Searches and edits all the while; gives every answer that was seen. */
  async function underLoad(work: () => Promise<unknown>): Promise<string[]> {
    const seen = new Set<string>();
    let isOver = false;
    const { id } = await createDocument({ documentName: 'owl', documentContent: 'The owl hoots.' }, ['faq']);
    await app.settle();
    expect(await getDocument(id)).toMatchObject({ status: 'ready' });
    const chunk = await firstChunk(id);
    const searching = (async () => {
      while (!isOver) seen.add(JSON.stringify(await find('falcon')));
    })();
    const editing = (async () => {
      for (let i = 0; !isOver; i++) {
        await editChunk(chunk, { content: `The owl hoots ${i} times.` });
        await switchChunk(chunk, i % 2 === 0 ? 'inactive' : 'active');
      }
    })();
    try {
      await work();
    } finally {
      isOver = true;
      await Promise.all([searching, editing]);
    }
    await untilInStep();
    await app.request('DELETE', `/admin/api/v1/documents/${id}`, { query: { tenantId: 'acme' } });
    await untilInStep();
    return [...seen];
  }

  test('under load, every search finds what was there, and the new index is whole', async () => {
    const before = await createdAt();
    const seen = await underLoad(async () => {
      expect(await build()).toMatchObject({ copied: expect.any(Number), resumed: false });
    });
    expect(seen).toEqual([JSON.stringify(ALL)]);
    expect(await createdAt()).not.toBe(before);
    expect(await leftovers()).toEqual([]);
    expect(await rebuild()).toBeNull();
  });

  test.each(PHASES)('that ends while %s goes on where it was', async (phase) => {
    const before = await createdAt();
    const seen = await underLoad(async () => {
      const ended = build((progress) => {
        if (progress.phase === phase) throw new Error(`killed while ${phase}`);
      });
      await expect(ended).rejects.toThrow(`killed while ${phase}`);
      expect(await build()).toMatchObject({ resumed: true });
    });
    expect(seen).toEqual([JSON.stringify(ALL)]);
    expect(await createdAt()).not.toBe(before);
    expect(await leftovers()).toEqual([]);
    expect(await rebuild()).toBeNull();
  });

  test('that ends after the indexes have changed places is finished by the running server', async () => {
    const client = connectMeilisearch(meilisearch);
    const swap = vi.spyOn(client.adminClient as Meilisearch, 'swapIndexes');
    let taskUid = -1;
    // It is asked for, and nobody is there any more to hear of it.
    const swapAndDie = async (swaps: IndexSwap[]): Promise<never> => {
      ({ taskUid } = await admin.swapIndexes(swaps));
      throw new Error('killed');
    };
    swap.mockImplementation(swapAndDie as unknown as Meilisearch['swapIndexes']);
    await expect(rebuildIndex({ db: app.db, server: client })).rejects.toThrow('killed');
    await waitForTask(admin, taskUid);
    expect(await find('falcon')).toEqual(ALL);
    await add({ owl: 'The owl hoots.' });
    await untilInStep();
    expect(await find('falcon')).toEqual(ALL);
    expect(await build()).toMatchObject({ copied: expect.any(Number) });
    expect(await rebuild()).toBeNull();
    expect(await leftovers()).toEqual([]);
    await untilInStep();
  });

  test('ends when the live index is emptied meanwhile, and that is filled', async () => {
    const emptied = (async () => {
      let hasBegun = false;
      return build(() => {
        if (hasBegun) return;
        hasBegun = true;
        throw new Error('killed');
      });
    })();
    await expect(emptied).rejects.toThrow('killed');
    await waitForTask(admin, (await admin.index(uid).deleteAllDocuments()).taskUid);
    await waitFor(async () => (await rebuild()) === null);
    await waitFor(async () => (await app.get('/readyz')).body.search === 'ok');
    await untilInStep();
    expect(await find('falcon')).toEqual(ALL);
    expect(await build()).toMatchObject({ resumed: false });
    expect(await leftovers()).toEqual([]);
  });

  test('is refused while another process does it', async () => {
    let refused: Promise<unknown> | undefined;
    await build(() => {
      refused ??= expect(build()).rejects.toThrow('Another process is building the index already.');
    });
    await refused;
  });
});
