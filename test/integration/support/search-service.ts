import { beforeAll, expect } from 'vitest';
import type { SearchServerConfig } from '../../../src/config/config.js';
import { connectMeilisearch } from '../../../src/search/meilisearch/connect.js';
import { readBacklog } from '../../../src/search/meilisearch/outbox-consumer.js';
import { verifyIndex } from '../../../src/search/meilisearch/verify.js';
import { useApp } from '../../support/app.js';
import { waitFor, waitToHold } from '../../support/wait-for.js';
import { createRestClient, SEARCH, TENANT, TENANT_UNIT } from './rest-client.js';

/** A service that searches with Meilisearch, and what these tests do with it. */
export function useSearch(meilisearch: SearchServerConfig, texts: Record<string, string> = {}) {
  const app = useApp({ meilisearch });
  const calls = createRestClient(app);

  /** The names of the documents that a search finds, or the status it answers instead. */
  async function find(query: string): Promise<string[] | number> {
    const body = {
      tenant_id: TENANT_UNIT.tenantId,
      tenant_unit_id: TENANT_UNIT.tenantUnitId,
      dataset_ids: ['faq'],
      query,
      top_k: 100,
    };
    const answer = await app.request('POST', SEARCH, { query: TENANT, body });
    if (answer.status !== 200) return answer.status;
    return answer.body.map((hit: { document_name: string }) => hit.document_name).sort();
  }

  /** Adds documents of one chunk, without waiting until they are found. */
  async function add(added: Record<string, string>): Promise<Record<string, string>> {
    const ids: Record<string, string> = {};
    for (const [documentName, documentContent] of Object.entries(added)) {
      ids[documentName] = (await calls.createDocument({ documentName, documentContent }, ['faq'])).id;
    }
    await app.settle();
    return ids;
  }

  /** Waits until exactly these are found. */
  const untilFound = (query: string, names: string[]) =>
    waitToHold(async () => expect(await find(query)).toEqual(names.toSorted()));

  const outbox = () =>
    app.db.selectFrom('searchOutbox').select(['chunkId', 'taskUid', 'error']).orderBy('chunkId').execute();

  /** Why changes do not reach the index. */
  const syncError = async () =>
    (await app.db.selectFrom('searchIndex').select('error').executeTakeFirst())?.error ?? '';

  /** The chunks of which the index itself says something else than the database. */
  async function differences(): Promise<string[]> {
    const server = connectMeilisearch(meilisearch);
    const { missing, outdated, surplus } = await verifyIndex({ db: app.db, server });
    return [...missing.ids, ...outdated.ids, ...surplus.ids];
  }

  /** Nothing waits, and the index holds what the database says. */
  async function untilInStep(): Promise<void> {
    await waitToHold(async () =>
      expect(await readBacklog(app.db)).toMatchObject({ waiting: 0, quarantined: 0 }),
    );
    expect(await differences()).toEqual([]);
  }

  const firstChunk = async (documentId: string) => (await calls.listChunks(documentId))[0];

  beforeAll(async () => {
    await waitFor(async () => (await app.get('/readyz')).body.search === 'ok', { what: 'the search server' });
    await add(texts);
    for (const name of Object.keys(texts)) await untilFound(name, [name]);
    await untilInStep();
  });

  return { ...calls, app, find, add, untilFound, outbox, syncError, differences, untilInStep, firstChunk };
}
