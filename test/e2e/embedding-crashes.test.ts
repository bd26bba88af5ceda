import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { type EmbeddingRequest, startEmbeddingServer } from '../support/embedding-server.js';
import { countMissingVectors } from '../support/missing-vectors.js';
import { useServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

/* Servers that die while they embed texts. */

const TEXTS = 40;
const scope = { tenantId: 'acme', tenantUnitId: 'unit' };
const endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());

const server = useServerProcess({
  EMBEDDING_URL: endpoint.url,
  EMBEDDING_MODEL: 'words',
  EMBEDDING_BATCH_SIZE: '4',
});

const isOfHerons = ({ texts }: EmbeddingRequest) => texts.some((text) => text.startsWith('Heron'));

/** Lets so many requests be answered, and no more. Returns a wait for one that is not. */
function holdAfter(answered: number): () => Promise<unknown> {
  let left = answered;
  endpoint.state.fault = (request) => (isOfHerons(request) && left-- <= 0 ? 'hang' : undefined);
  return () => waitFor(() => left < 0, { what: 'a request that is not answered' });
}

/** The texts that have a vector, by their hash. */
async function storedHashes(): Promise<Set<string>> {
  const rows = await server.db.selectFrom('embeddings').select('hash').execute();
  return new Set(rows.map(({ hash }) => hash.toString('hex')));
}
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const countOf = async (table: 'embeddings' | 'chunkTexts' | 'embeddingQueue') =>
  (await server.db.selectFrom(table).selectAll().execute()).length;

test('a server that is killed while it embeds texts loses none, and embeds none twice', async () => {
  const untilHeld = holdAfter(3);
  await server.start();
  expect(server.printed).toContain('"search":"postgres, by meaning with words"');
  for (let i = 0; i < TEXTS; i++) {
    await server.trpc.documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      datasetIds: ['faq'],
      documentContent: `Heron number ${i} stands in the water.`,
    });
  }
  const isReady = async () =>
    (await server.db.selectFrom('documents').select('id').where('status', '=', 'ready').execute()).length ===
    TEXTS;
  await waitFor(isReady, { what: 'all documents to be processed' });
  await untilHeld();

  for (let death = 1; death <= 2; death++) {
    await server.kill();
    const stored = await storedHashes();
    const asked = endpoint.state.requests.length;
    const untilHeldAgain = holdAfter(death === 1 ? 3 : Number.POSITIVE_INFINITY);
    await server.start();
    if (death === 1) await untilHeldAgain();
    else
      await waitFor(async () => (await countOf('embeddingQueue')) === 0, {
        what: 'all texts to be embedded',
      });
    const texts = endpoint.state.requests
      .slice(asked)
      .filter(isOfHerons)
      .flatMap(({ texts }) => texts);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => stored.has(hashOf(text)))).toEqual([]);
  }
  expect(await countMissingVectors(server.db)).toBe(0);
  expect([await countOf('chunkTexts'), await countOf('embeddings')]).toEqual([TEXTS, TEXTS]);
});
