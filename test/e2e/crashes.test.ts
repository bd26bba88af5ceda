import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useHeldResponses } from '../support/held-responses.js';
import { useServerProcess } from '../support/server-process.js';

/* Servers that die while they process documents. Time is moved in the database, not waited for. */

const server = useServerProcess({ FETCH_ALLOW_HOSTS: '127.0.0.1', INGEST_CONCURRENCY: '2' });
const pages = useHeldResponses();

const scopeOf = (tenantId: string) => ({ tenantId, tenantUnitId: 'unit' });

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await delay(20);
}

/** Registers a document under the name of its tenant. */
const create = (tenantId: string, source: { url: string } | { documentContent: string }) =>
  server.trpc.documents.create.mutate({
    scope: scopeOf(tenantId),
    id: tenantId,
    documentType: 'UnstructuredFile',
    ...source,
  });
const get = (tenantId: string) =>
  server.trpc.documents.get.query({ scope: { tenantId }, documentId: tenantId });
const untilReady = (tenantId: string) => until(async () => (await get(tenantId)).status === 'ready');

/** What the queue holds of a document. */
async function jobOf(tenantId: string) {
  const { rows } = await server.pool.query(
    `select deaths, next_attempt_time is not null as "isPaused", lease_owner is not null as "isUnderWay"
     from processing_jobs where tenant_id = $1`,
    [tenantId],
  );
  return rows[0];
}
const makeDue = (tenantId: string) =>
  server.pool.query('update processing_jobs set next_attempt_time = now() where tenant_id = $1', [tenantId]);

test('a document that ends its server comes back alone and ever later, and takes no other with it', async () => {
  await server.start();
  await create('one', { url: pages.url('/one') });
  await create('two', { url: pages.url('/two') });
  await until(() => pages.asked().length === 2);
  await server.kill();
  await server.start();

  // Either may be to blame, so one of them comes first, and others are processed beside it.
  await until(() => pages.asked().length > 0);
  const [culprit, innocent] = pages.asked()[0] === '/one' ? ['one', 'two'] : ['two', 'one'];
  await create('page', { url: pages.url('/page') });
  await until(() => pages.asked().includes('/page'));
  expect(pages.asked()).toEqual([`/${culprit}`, '/page']);
  pages.answer('/page', 'A page beside a suspect.');
  await untilReady('page');
  expect(await jobOf(innocent)).toEqual({ deaths: 1, isPaused: false, isUnderWay: false });
  expect(await jobOf(culprit)).toMatchObject({ deaths: 1, isUnderWay: true });

  const pauses: unknown[] = [];
  for (let death = 2; death <= 4; death++) {
    await server.kill();
    await server.start();
    await until(async () => (await jobOf(culprit)).deaths === death);
    if (death === 2) {
      await until(() => pages.asked().includes(`/${innocent}`));
      pages.answer(`/${innocent}`, 'Processed while the other waits.');
      await untilReady(innocent);
    }
    await create(`fresh ${death}`, { documentContent: 'Processed at once.' });
    await untilReady(`fresh ${death}`);
    expect(pages.asked()).toEqual([]);
    pauses.push(await jobOf(culprit));
    await makeDue(culprit);
    await until(() => pages.asked().includes(`/${culprit}`));
  }
  expect(pauses).toEqual([
    { deaths: 2, isPaused: true, isUnderWay: false },
    { deaths: 3, isPaused: true, isUnderWay: false },
    { deaths: 4, isPaused: true, isUnderWay: false },
  ]);

  await server.kill();
  await server.start();
  await until(async () => (await get(culprit)).status === 'failed');
  expect((await get(culprit)).error).toEqual({
    code: 'worker_died',
    stage: 'fetching',
    message: 'Processing this document ended its worker every time; the file may be damaged or too large.',
    retryable: false,
  });
  expect(await jobOf(culprit)).toBeUndefined();
  for (const tenant of [innocent, 'page', 'fresh 2', 'fresh 3', 'fresh 4']) {
    expect(await get(tenant)).toMatchObject({ status: 'ready', error: null });
  }
}, 600_000);

test('a server that is stopped leaves its documents to the next, as if it had not begun', async () => {
  await create('stopped', { url: pages.url('/stopped') });
  await until(() => pages.asked().includes('/stopped'));
  await server.stop();
  expect(await jobOf('stopped')).toEqual({ deaths: 0, isPaused: false, isUnderWay: false });
  const { rows } = await server.pool.query(
    `select attempts, outages from processing_jobs where tenant_id = 'stopped'`,
  );
  expect(rows).toEqual([{ attempts: 0, outages: 0 }]);
  await server.start();
  await until(() => pages.asked().includes('/stopped'));
  pages.answer('/stopped', 'Read by the next server.');
  await untilReady('stopped');
}, 240_000);
