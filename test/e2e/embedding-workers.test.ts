import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRestClient } from '../integration/support/rest-client.js';
import { type StartedBeside, startBeside } from '../integration/support/start-beside.js';
import { useApp } from '../support/app.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { type EmbeddingRequest, embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { waitFor, waitToHold } from '../support/wait-for.js';

/* Workers on one database whose configurations differ, as while a deployment replaces one by the other. */

const endpoint = await startEmbeddingServer();
const app = useApp({ role: 'api' });
const rest = createRestClient(app);
const running: StartedBeside[] = [];
let cable: DatabaseProxy;

beforeAll(async () => {
  cable = new DatabaseProxy(new URL(app.databaseUrl));
  await cable.heal();
});

afterEach(async () => {
  endpoint.state.fault = undefined;
  await Promise.all(running.splice(0).map((worker) => worker.app.close()));
});

afterAll(async () => {
  await cable.close();
  await endpoint.close();
});

async function start(model: string, databaseUrl = app.databaseUrl): Promise<StartedBeside> {
  const { dataDir } = app;
  const embedding = embeddingConfig({ url: endpoint.url, model });
  const worker = await startBeside({ databaseUrl, dataDir }, { role: 'worker', embedding });
  running.push(worker);
  return worker;
}

async function stop(worker: StartedBeside): Promise<void> {
  running.splice(running.indexOf(worker), 1);
  await worker.app.close();
}

const STANDS_BY = 'stands by: a process that started later has another model';
const standbysOf = ({ logged }: StartedBeside) => logged.filter(({ msg }) => msg === STANDS_BY).length;
/** Waits until the worker stands by: it looks when there is something to embed. */
const untilStandby = (worker: StartedBeside) =>
  waitFor(
    async () => {
      await create();
      await app.settle();
      return standbysOf(worker) > 0;
    },
    { what: 'the worker to stand by' },
  );

/** Waits until the worker behind the proxy has had the embedder lock again. */
async function untilAnotherTurn(): Promise<void> {
  const turns = () => cable.statements.filter((text) => text.includes('pg_advisory_unlock')).length;
  const before = turns();
  await waitFor(() => turns() > before, { what: 'another turn of the worker' });
}

/** The models that are live or being filled, with their numbers in the order in which all were made. */
async function models(): Promise<string[]> {
  const rows = await app.db
    .selectFrom('embeddingModels')
    .selectAll()
    .where('status', '<>', 'retired')
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, status }) => `${id} ${name}: ${status}`);
}
const untilModels = (...expected: string[]) =>
  waitToHold(async () => expect(await models()).toEqual(expected));

let documents = 0;
const create = () =>
  rest.createDocument({ documentContent: `Heron number ${++documents} stands in the water.` }, ['faq']);
const waiting = async () => (await app.trpc().search.status.query()).embedding?.waiting;
const settle = async () => {
  await app.settle();
  await waitFor(async () => (await waiting()) === 0, { what: 'all texts to be embedded' });
};
/** Keeps a model from being complete: it fails on the first document. */
const failOnFirst = (model: string) => {
  endpoint.state.fault = (request) =>
    request.model === model && request.texts.some((text) => text.includes('number 1 '))
      ? { status: 500 }
      : undefined;
};
const makeDue = () => app.db.updateTable('embeddingQueue').set({ retryTime: new Date() }).execute();
const isOfHerons = ({ texts }: EmbeddingRequest) => texts.some((text) => text.startsWith('Heron'));
/** The models that embedded herons since then. */
const embeddedBy = (since: number) => [
  ...new Set(
    endpoint.state.requests
      .slice(since)
      .filter(isOfHerons)
      .map(({ model }) => model),
  ),
];

test('the older of two workers embeds nothing while the younger one changes the model, nor afterwards', async () => {
  const old = await start('old', cable.url);
  await create();
  await settle();
  await untilModels('1 old: live');

  failOnFirst('new');
  const since = endpoint.state.requests.length;
  await start('new');
  await untilModels('1 old: live', '2 new: filling');
  await create();
  await app.settle();
  await waitFor(() => embeddedBy(since).length > 0, { what: 'the new text to be embedded' });
  await untilStandby(old);
  await untilAnotherTurn();
  expect(await models()).toEqual(['1 old: live', '2 new: filling']);

  endpoint.state.fault = undefined;
  await makeDue();
  await untilModels('2 new: live');
  await create();
  await settle();
  await untilAnotherTurn();
  expect(await models()).toEqual(['2 new: live']);
  expect(embeddedBy(since)).toEqual(['new']);
  expect(standbysOf(old)).toBe(1);
});

test('a rollback wins over the younger model, complete or not, though its workers still run', async () => {
  const young = await start('new', cable.url);
  const since = endpoint.state.requests.length;
  const restarted = await start('old');
  await untilModels('3 old: live');
  await create();
  await settle();
  await untilStandby(young);
  expect(embeddedBy(since)).toEqual(['old']);
  await stop(young);

  failOnFirst('newer');
  const younger = await start('newer', cable.url);
  await untilModels('3 old: live', '4 newer: filling');
  const { documentContent: changed } = await create();
  const hasEmbedded = (model: string) =>
    endpoint.state.requests.some((request) => request.model === model && request.texts.includes(changed));
  await waitFor(() => hasEmbedded('newer'), { what: 'the younger model to embed a text' });
  await stop(restarted);
  const again = await start('old');
  await untilStandby(younger);
  await waitFor(() => hasEmbedded('old'), { what: 'the older model to embed that text, too' });
  await settle();
  await untilAnotherTurn();
  expect(await models()).toEqual(['3 old: live']);

  // Time is moved in the database, not waited for.
  endpoint.state.fault = undefined;
  await stop(again);
  await app.db
    .updateTable('embeddingModels')
    .set({ seenTime: new Date(Date.now() - 3_600_000) })
    .execute();
  await untilModels('5 newer: live');
});

test('a worker that has nothing to do sends one statement at a time', async () => {
  await start('newer', cable.url);
  await settle();
  const statements = () => cable.statements.filter((text) => text.includes('embedding_'));
  await waitFor(
    () =>
      statements()
        .slice(-3)
        .every((text) => text.includes('not is_filled)')),
    {
      what: 'the worker to have nothing to do',
    },
  );
  const before = statements().length;
  await waitFor(() => statements().length > before + 3, { what: 'the worker to look again' });
  expect(new Set(statements().slice(before)).size).toBe(1);
});
