import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRestClient, TENANT_UNIT } from '../integration/support/rest-client.js';
import { startBeside } from '../integration/support/start-beside.js';
import { useApp } from '../support/app.js';
import { embeddingConfig } from '../support/embedding-server.js';
import { countMissingVectors } from '../support/missing-vectors.js';
import { type Behaviour, startModelServer } from '../support/model-server.js';
import { waitFor } from '../support/wait-for.js';

/* Search by meaning with a real model, which fails on purpose. */

const { EMBEDDING_SERVER: command = '' } = process.env;
if (!command) {
  process.stderr.write(`
SKIPPED: test/e2e/embedding-model.test.ts, search by meaning with a real model. To run it, name a program that serves one:
  EMBEDDING_SERVER="python serve.py" npx vitest run test/e2e/embedding-model.test.ts
CONTRIBUTING.md says what the program has to do.

`);
}

describe.skipIf(!command)('with the model of EMBEDDING_SERVER', () => {
  const app = useApp({ role: 'api' });
  const rest = createRestClient(app);
  let model: Awaited<ReturnType<typeof startModelServer>>;
  let server: Awaited<ReturnType<typeof startBeside>>;

  beforeAll(async () => {
    model = await startModelServer(command);
    // A limit that a busy machine keeps; what never answers is beyond any.
    const embedding = embeddingConfig({ url: model.url, model: 'real' }, { searchTimeoutMs: 10_000 });
    server = await startBeside(app, { embedding });
  });

  afterAll(async () => {
    await server?.app.close();
    await model?.close();
  });

  /** The same model on the same port. */
  async function restart(behaviour: Behaviour = {}): Promise<void> {
    await model.close();
    model = await startModelServer(command, behaviour, model.port);
  }

  const status = async () => (await app.trpc().search.status.query()).embedding;
  const settle = async () => {
    await app.settle();
    await waitFor(async () => (await status())?.waiting === 0, { what: 'all texts to be embedded' });
  };
  const create = (dataset: string, documentName: string, documentContent: string) =>
    rest.createDocument({ documentName, documentContent }, [dataset]);

  let asked = 0;
  /** Over REST, with a question that was not asked before. */
  async function search(query: string, dataset = 'faq') {
    const response = await fetch(
      `${server.address}/admin/api/v1/api/v1/documentChunks/search?tenantId=${TENANT_UNIT.tenantId}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          tenant_id: TENANT_UNIT.tenantId,
          tenant_unit_id: TENANT_UNIT.tenantUnitId,
          dataset_ids: [dataset],
          query: `${query} ${++asked}`,
        }),
      },
    );
    expect(response.status).toBe(200);
    const hits = (await response.json()) as { document_name: string }[];
    return { mode: response.headers.get('x-search-mode'), names: hits.map((hit) => hit.document_name) };
  }
  const untilHybrid = () =>
    waitFor(async () => (await search('herons in the water')).mode === 'hybrid', {
      what: 'searches by meaning',
    });

  describe('paraphrases are ranked by meaning, which words alone rank wrongly', () => {
    test.each([
      {
        question: 'How do I get my money back for an order?',
        answer: 'An order that you return is reimbursed within seven days.',
        decoy:
          'How to order: get a form, put an order and the money for it into an envelope, and write it on the back.',
      },
      {
        question: 'my child has a fever',
        answer: 'When a child has a high temperature, call the physician.',
        decoy: 'My child has read Fever Pitch, a novel on football; it has a green cover.',
      },
      {
        question: 'cancel the subscription',
        answer: 'You end a subscription by no longer renewing it in your account.',
        decoy:
          'The postmark that they use to cancel stamps is on the subscription form, the subscription card and the cover.',
      },
      {
        question: 'is the shop open on Sunday',
        answer: 'The shop is closed at weekends, and welcomes visitors from Monday to Friday.',
        decoy: 'An open letter on the shop is printed on page nine; the Sunday edition is sold out.',
      },
      {
        question: 'the laptop battery is empty after an hour',
        answer: 'A laptop that runs out of power too soon needs a new accumulator.',
        decoy: 'The battery of cannons is on a hill, an hour from the village; the hill is empty after dark.',
      },
    ])('$question', async ({ question, answer, decoy }) => {
      await create(question, 'answer', answer);
      await create(question, 'decoy', decoy);
      await settle();
      const ask = (mode: 'lexical' | 'hybrid') =>
        app.trpc().chunks.search.query({ scope: TENANT_UNIT, datasetIds: [question], query: question, mode });
      expect((await ask('lexical')).map(({ documentName }) => documentName)).toEqual(['decoy', 'answer']);
      const found = await search(question, question);
      expect(found).toEqual({ mode: 'hybrid', names: ['answer', 'decoy'] });
    });
  });

  test('every text is embedded in the end, though half of the requests fail', async () => {
    await restart({ 'fail-rate': 0.5, seed: 7 });
    for (let i = 0; i < 20; i++) await create('faq', `heron ${i}`, `Heron number ${i} stands in the water.`);
    await settle();
    expect(await status()).toMatchObject({ waiting: 0, failed: 0 });
    expect(await countMissingVectors(app.db)).toBe(0);
    await restart();
    await untilHybrid();
  });

  test.each([
    ['refuses all requests with 429', { 'fail-rate': 1, status: 429 }],
    ['answers after an hour', { 'delay-ms': 3_600_000 }],
  ])(
    'while it %s, searches go by words alone and texts wait, and afterwards both are well',
    async (what, behaviour) => {
      await restart(behaviour);
      expect(await search('herons in the water')).toMatchObject({ mode: 'lexical' });
      await create(what, 'late', `A text that is written while it ${what}.`);
      await app.settle();
      expect(await search('a text that is written', what)).toEqual({ mode: 'lexical', names: ['late'] });
      expect(await status()).toMatchObject({ waiting: 1 });
      await restart();
      await settle();
      await untilHybrid();
    },
  );
});
