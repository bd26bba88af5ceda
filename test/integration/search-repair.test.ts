import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSearchServer } from '../support/search-server.js';
import { waitFor, waitToHold } from '../support/wait-for.js';
import { TIME } from './support/rest-client.js';
import { useSearch } from './support/search-service.js';

const { config, close } = await openSearchServer();
afterAll(close);

const { app, untilInStep, differences } = useSearch(config, { herons: 'herons', storks: 'storks' });
const scope = { tenantId: 'acme' };
const IN_STEP = {
  chunks: 2,
  documents: 2,
  waiting: 0,
  setAside: 0,
  repaired: 0,
  missing: { count: 0, ids: [] },
  outdated: { count: 0, ids: [] },
  surplus: { count: 0, ids: [] },
};

/** Removes a chunk from the index, as nobody should. */
async function lose(chunkId: string): Promise<void> {
  const headers = { authorization: `Bearer ${config.adminKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${config.url}/indexes/${config.prefix}chunks/documents/delete-batch`, {
    method: 'POST',
    headers,
    body: JSON.stringify([chunkId]),
  });
  const { taskUid } = (await answer.json()) as { taskUid: number };
  const task = async () => {
    const found = await fetch(`${config.url}/tasks/${taskUid}`, { headers });
    return ((await found.json()) as { status: string }).status === 'succeeded';
  };
  await waitFor(task, { what: 'the chunk to be gone from the index' });
}

let lost: string;

beforeAll(async () => {
  const chunk = await app.db.selectFrom('chunks').select('id').orderBy('id').executeTakeFirstOrThrow();
  lost = chunk.id;
});

const repairs = async () =>
  (await app.trpc().audit.list.query({ scope, action: 'search.repair' })).items.map(
    ({ id: _, requestId: __, address: ___, ...event }) => event,
  );
const repair = (after: object) => ({
  tenantId: 'acme',
  tenantUnitId: null,
  time: TIME,
  action: 'search.repair',
  subjectType: 'searchIndex',
  subjectId: 'chunks',
  keyId: null,
  userId: null,
  userIssuer: null,
  userName: null,
  before: null,
  after,
});

test('what the index has lost is found, put back, and audited', async () => {
  await lose(lost);
  const { search } = app.trpc();
  const different = { ...IN_STEP, documents: 1, missing: { count: 1, ids: [lost] } };
  expect(await search.verify.query()).toEqual(different);
  expect(await search.repair.mutate({ scope })).toEqual({ ...different, repaired: 1 });
  await untilInStep();
  expect(await repairs()).toEqual([repair({ repaired: 1, isComplete: true })]);
});

test('a repair of an index in step changes nothing', async () => {
  expect(await app.trpc().search.repair.mutate({ scope })).toEqual(IN_STEP);
  expect(await repairs()).toEqual([
    repair({ repaired: 0, isComplete: true }),
    repair({ repaired: 1, isComplete: true }),
  ]);
});

test('a repair ends with the client that asked for it', async () => {
  await lose(lost);
  const signal = AbortSignal.abort();
  const ended = app.app.services.searchAdmin.repair({ scope }, { userId: undefined }, signal);
  await expect(ended).rejects.toThrow('aborted');
  expect(await repairs()).toHaveLength(2);
  await waitToHold(async () => expect(await differences()).toEqual([lost]));
});
