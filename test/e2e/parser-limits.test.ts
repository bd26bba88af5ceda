import { expect, test } from 'vitest';
import { createRestClient, TENANT, type TestApp } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';

/*
 * Files that take too much, in the real parser processes: they fail with a reason, and what comes with and after
 * them is processed as if nothing had been.
 */

const MIB = 2 ** 20;
/** Of a processor: far more than small files take, and far less than the large one. */
const hasty = useApp({ ingestTimeoutMs: 5_000 });
const small = useApp({ ingestMemoryBytes: 420 * MIB });

test('a file over the time limit fails with timeout and affects no other', async () => {
  const endless = 'The keeper of the lighthouse counts the ships that pass. '.repeat(1_500_000);
  await expectFailure(hasty, endless, 'endless.txt', 'timeout');
});

test('a file over the memory limit fails with out_of_memory and affects no other', async () => {
  const deep = `{"list": [${'{"a": {"b": [1, 2, {"c": "text"}]}}, '.repeat(700_000)}0]}`;
  await expectFailure(small, deep, 'deep.json', 'out_of_memory');
}, 240_000);

async function expectFailure(app: TestApp, content: string, name: string, code: string): Promise<void> {
  const { createDocument, getDocument, upload } = createRestClient(app);
  const big = await upload(content, name);
  const beside = await createDocument({ documentContent: 'Processed beside it.' });
  await app.settle();
  const after = await createDocument({ documentContent: 'Processed after it.' });
  await app.settle();
  expect(await getDocument(beside.id)).toMatchObject({ status: 'ready' });
  expect(await getDocument(after.id)).toMatchObject({ status: 'ready' });
  expect(await app.trpc().documents.get.query({ scope: TENANT, documentId: big.id })).toMatchObject({
    status: 'failed',
    attempts: 1,
    chunkCount: 0,
    newChunks: 0,
    error: { code, message: expect.stringMatching(/split it into smaller ones/), retryable: false },
  });
}
