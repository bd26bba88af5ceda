import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../wait-for.js';
import { type Client, createClient } from './client.js';
import { type Meilisearch, startMeilisearch } from './server.js';

let server: Meilisearch;
let client: Client;

beforeEach(async () => {
  server = await startMeilisearch();
  client = createClient(server.url, server.masterKey);
  await client.perform('POST', '/indexes', { uid: 'i', primaryKey: 'id' });
});

afterEach(() => server.close());

const add = (id: string) => client.perform('POST', '/indexes/i/documents', [{ id }]);
const enqueue = async (id: string) =>
  (await client.send('POST', '/indexes/i/documents', [{ id }])).body.taskUid;
const statusOf = async (uid: number) => (await client.send('GET', `/tasks/${uid}`)).body.status;
const count = async () => (await client.send('GET', '/indexes/i/stats')).body.numberOfDocuments;

describe('the server', () => {
  test('is gone, and comes back with its data and its queue', async () => {
    server.holdTasks();
    const uid = await enqueue('1');
    await server.stop();
    server.releaseTasks();
    await expect(client.send('GET', '/health')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect((await client.settle(uid)).status).toBe('succeeded');
    expect(await count()).toBe(1);
  });

  test('comes back empty', async () => {
    await add('1');
    await server.stop();
    await server.start({ isEmpty: true });
    expect((await client.send('GET', '/indexes/i')).status).toBe(404);
    expect((await client.send('GET', '/tasks')).body.total).toBe(0);
  });

  test('answers what a broken proxy would', async () => {
    server.answerWith({
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: '<h1>Bad Gateway</h1>',
    });
    const response = await fetch(`${server.url}/health`);
    expect([response.status, await response.text()]).toEqual([502, '<h1>Bad Gateway</h1>']);
    server.answerWith('reset');
    await expect(client.send('GET', '/health')).rejects.toThrow('ECONNRESET');
    server.answerWith();
    expect((await client.send('GET', '/health')).status).toBe(200);
  });

  test('answers late', async () => {
    server.delayAnswers(60_000);
    const signal = AbortSignal.timeout(50);
    await expect(fetch(`${server.url}/health`, { signal })).rejects.toThrow('aborted due to timeout');
  });

  test('says what it does not know', async () => {
    const body = { federation: {}, queries: [{ indexUid: 'i', sort: ['id:asc'] }] };
    expect(await client.send('POST', '/multi-search', body)).toMatchObject({
      status: 501,
      body: { message: 'The double of Meilisearch does not know `sort` in a search.' },
    });
    expect((await client.send('GET', '/indexes')).status).toBe(501);
  });
});

describe('tasks', () => {
  test('wait until they are released', async () => {
    server.holdTasks();
    const uids = [await enqueue('1'), await enqueue('2')];
    expect(await Promise.all(uids.map(statusOf))).toEqual(['enqueued', 'enqueued']);
    server.releaseTasks();
    for (const uid of uids) expect((await client.settle(uid)).status).toBe('succeeded');
    expect(await count()).toBe(2);
  });

  test('fail without effect', async () => {
    server.failTasks();
    const { status, details, error } = await add('1');
    expect({ status, details, error }).toEqual({
      status: 'failed',
      details: { receivedDocuments: 1, indexedDocuments: 0 },
      error: {
        message: 'Index `i`: No space left on device (os error 28)',
        code: 'no_space_left_on_device',
        type: 'system',
        link: 'https://docs.meilisearch.com/errors#no_space_left_on_device',
      },
    });
    server.failTasks(null);
    expect((await add('1')).status).toBe('succeeded');
  });

  test('fail for one document', async () => {
    server.failTasksWith('bad');
    expect((await add('bad')).error.code).toBe('internal');
    expect((await add('good')).status).toBe('succeeded');
  });

  test('are processed for ever while the disk is full', async () => {
    server.holdTasks();
    const uid = await enqueue('1');
    server.fillDisk();
    server.releaseTasks();
    await waitFor(async () => (await statusOf(uid)) === 'processing', {
      what: 'the task to run',
      intervalMs: 1,
    });
    expect((await client.send('POST', '/indexes/i/documents', [{ id: '2' }])).body.code).toBe('internal');
    const searched = await client.send('POST', '/multi-search', {
      federation: {},
      queries: [{ indexUid: 'i' }],
    });
    expect(searched.body.estimatedTotalHits).toBe(0);
    expect(await statusOf(uid)).toBe('processing');
    server.freeDisk();
    expect((await client.settle(uid)).status).toBe('succeeded');
  });
});
