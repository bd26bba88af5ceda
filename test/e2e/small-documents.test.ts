import { expect, test } from 'vitest';
import { useHeldResponses } from '../support/held-responses.js';
import { useServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

/* One reader, as on a machine of one or two processors, and everything that large it can be busy with. */

const server = useServerProcess({ FETCH_ALLOW_HOSTS: '127.0.0.1', INGEST_CONCURRENCY: '1' });
const pages = useHeldResponses();

const LARGE_BYTES = 80_000_000;
const scopeOf = (tenantId: string) => ({ tenantId, tenantUnitId: 'unit' });

async function upload(tenantId: string, text: string): Promise<string> {
  const form = new FormData();
  const fields = { ...scopeOf(tenantId), documentType: 'UnstructuredFile', datasetIds: '[]' };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([text], 'words.txt'));
  const answer = await fetch(`${server.address}/admin/api/v1/documents/upload`, {
    method: 'POST',
    body: form,
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

const get = (tenantId: string, documentId: string) =>
  server.trpc.documents.get.query({ scope: { tenantId }, documentId });

test('a small document is processed while a large file and slow pages are in progress', async () => {
  await server.start();
  const large = await upload('large', 'a'.repeat(LARGE_BYTES));
  await waitFor(async () => (await get('large', large)).stage === 'splitting');
  // With the large file, these hold all the room that there is for what is not known to be small.
  const slow = ['slow 1', 'slow 2', 'slow 3'];
  for (const tenantId of slow) {
    await server.trpc.documents.create.mutate({
      scope: scopeOf(tenantId),
      documentType: 'UnstructuredWebpage',
      url: pages.url(`/${tenantId.replace(' ', '-')}`),
    });
  }
  await waitFor(() => pages.asked().length === slow.length);

  for (const tenantId of ['small', 'another', 'large']) {
    const small = await upload(tenantId, 'A few words.');
    await waitFor(async () => (await get(tenantId, small)).status === 'ready');
  }
  expect(await get('large', large)).toMatchObject({ status: 'processing', error: null, attempts: 1 });
  expect(pages.asked()).toHaveLength(slow.length);
}, 300_000);
