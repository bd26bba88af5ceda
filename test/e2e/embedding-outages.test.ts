import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { createRestClient } from '../integration/support/rest-client.js';
import { startBeside } from '../integration/support/start-beside.js';
import { useApp } from '../support/app.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { type EmbeddingRequest, embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { countMissingVectors } from '../support/missing-vectors.js';
import { waitFor } from '../support/wait-for.js';

/* What texts are embedded with goes away meanwhile: their endpoint, or the database. */

let endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());
const embedding = embeddingConfig({ url: endpoint.url, model: 'words' }, { batchSize: 2 });

const app = useApp({ role: 'api', embedding });
const rest = createRestClient(app);

const isOfHerons = ({ texts }: EmbeddingRequest) => texts.some((text) => text.startsWith('Heron'));
let documents = 0;
async function createMany(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await rest.createDocument({ documentContent: `Heron number ${++documents} stands in the water.` }, [
      'faq',
    ]);
  }
}
const embeddedTexts = async () => (await app.db.selectFrom('embeddings').select('hash').execute()).length;
async function settle(): Promise<void> {
  await app.settle();
  const status = async () => (await app.trpc().search.status.query()).embedding;
  await waitFor(async () => (await status())?.waiting === 0, { what: 'all texts to be embedded' });
  expect(await status()).toMatchObject({ failed: 0 });
  expect(await countMissingVectors(app.db)).toBe(0);
  expect(await embeddedTexts()).toBe(documents);
}

test('no search fails while the endpoint dies under load and comes back, and no text is lost', async () => {
  const worker = await startBeside(app, { role: 'worker', embedding });
  await createMany(4);
  await settle();

  const answers: { status: number; mode: string | null }[] = [];
  let isOver = false;
  const searchOn = async () => {
    while (!isOver) {
      const { status, headers } = await rest.askSearch(`herons, asked ${answers.length} times`);
      answers.push({ status, mode: headers.get('x-search-mode') });
    }
  };
  const searching = [searchOn(), searchOn(), searchOn()];
  const untilSearched = (mode: string) => {
    const from = answers.length;
    return waitFor(() => answers.slice(from).filter((answer) => answer.mode === mode).length >= 20, {
      what: `searches that are ${mode}`,
    });
  };
  await untilSearched('hybrid');

  // In the middle of the texts: the others wait for an answer that never comes.
  const begun = await embeddedTexts();
  let left = 4;
  endpoint.state.fault = (request) => (isOfHerons(request) && left-- <= 0 ? 'hang' : undefined);
  await createMany(20);
  await app.settle();
  await waitFor(() => left < 0, { what: 'texts to be embedded' });
  const { port } = endpoint;
  await endpoint.close();
  await untilSearched('lexical');
  expect(await embeddedTexts()).toBeLessThan(begun + 20);

  endpoint = await startEmbeddingServer({ port });
  await settle();
  await untilSearched('hybrid');
  isOver = true;
  await Promise.all(searching);
  await worker.app.close();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('no text is lost while the database goes away, though the answers of the endpoint are', async () => {
  const cable = new DatabaseProxy(new URL(app.databaseUrl));
  await cable.heal();
  const { dataDir } = app;
  const worker = await startBeside({ databaseUrl: cable.url, dataDir }, { role: 'worker', embedding });
  const WAIT = 'texts are not embedded; they wait';
  const countLogged = (message: string) => worker.logged.filter(({ msg }) => msg === message).length;
  for (let outage = 1; outage <= 3; outage++) {
    let release = () => {};
    const released = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    let held = 0;
    endpoint.state.fault = async (request) => {
      if (!isOfHerons(request)) return undefined;
      held++;
      return released;
    };
    await createMany(6);
    await app.settle();
    await waitFor(() => held > 0, { what: 'texts to be embedded' });
    const before = countLogged(WAIT);
    await cable.close();
    release();
    await waitFor(() => countLogged(WAIT) > before, { what: 'the worker to notice' });
    await cable.heal();
    await settle();
    await waitFor(() => countLogged('texts are embedded again') === outage, {
      what: 'the worker to recover',
    });
  }
  await worker.app.close();
  await cable.close();
});

test('a worker sends few texts at a time after a question to the same endpoint was slow in another process', async () => {
  endpoint.state.fault = undefined;
  await app.db.updateTable('embeddingModels').set({ slowQuestionTime: null }).execute();
  endpoint.state.fault = ({ texts }) => (texts.includes('Who hangs?') ? 'hang' : undefined);
  expect((await rest.askSearch('Who hangs?')).headers.get('x-search-mode')).toBe('lexical');
  const isSlow = async () =>
    (await app.db.selectFrom('embeddingModels').select('slowQuestionTime').execute()).some(
      ({ slowQuestionTime }) => slowQuestionTime !== null,
    );
  await waitFor(isSlow, { what: 'the slow question to be recorded' });

  // All texts anew.
  await app.db.deleteFrom('embeddings').execute();
  await sql`insert into embedding_queue (tenant_id, chunk_id) select tenant_id, chunk_id from chunk_texts`.execute(
    app.db,
  );
  let open = 0;
  let mostOpen = 0;
  const sizes: number[] = [];
  const pinged: boolean[] = [];
  endpoint.state.fault = async (request) => {
    if (request.texts.includes('?')) pinged.push(sizes.length === 0);
    if (!isOfHerons(request)) return undefined;
    sizes.push(request.texts.length);
    mostOpen = Math.max(mostOpen, ++open);
    await new Promise(setImmediate);
    open--;
    return undefined;
  };
  // Its questions may take so long that the endpoint is quick beside.
  const patient = { ...embedding, batchSize: 8, searchTimeoutMs: 60_000 };
  const worker = await startBeside(app, { role: 'worker', embedding: patient });
  await settle();
  await worker.app.close();
  expect(sizes.length).toBeGreaterThan(1);
  expect({ first: sizes[0], mostOpen, pinged: pinged.includes(true) }).toEqual({
    first: 1,
    mostOpen: 1,
    pinged: true,
  });
});
