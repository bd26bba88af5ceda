import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';

/* One reader, and a tenant whose files, small and large, keep it busy for as long as they may. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-slow-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The parser, for which a file that is called so never ends. */
const ENDLESS = 'endless.txt';
const program = path.join(folder, 'child.mjs');
const built = (name: string) => JSON.stringify(pathToFileURL(`dist/src/ingestion/${name}`).href);
writeFileSync(
  program,
  `import { serveTasks } from ${built('sandbox/serve-tasks.js')};
   import { chunkFile } from ${built('chunking/draft-chunks.js')};
   serveTasks((task, output) => {
     if (task.fileName === '${ENDLESS}') for (;;);
     return chunkFile(task, output);
   });`,
);

const app = useApp({ ingestConcurrency: 1 }, { sandboxProgram: program });

async function upload(tenantId: string, text: string, name: string): Promise<string> {
  const form = new FormData();
  const fields = { tenantId, tenantUnitId: 'unit', documentType: 'UnstructuredFile', datasetIds: '[]' };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new File([text], name));
  const { status, body } = await app.request('POST', '/admin/api/v1/documents/upload', { body: form });
  expect(status).toBe(200);
  return body.id as string;
}

const get = (tenantId: string, documentId: string) =>
  app.trpc().documents.get.query({ scope: { tenantId }, documentId });

test('small documents of others are ready while the files of a tenant take for ever', async () => {
  const sizes = [10, 30_000, 300_000];
  const endless = await Promise.all(sizes.map((size) => upload('slow', 'Words. '.repeat(size / 7), ENDLESS)));
  const underWay = async () =>
    (await Promise.all(endless.map((id) => get('slow', id)))).filter(({ stage }) => stage === 'parsing');
  // The tiny one shows no stage.
  await waitFor(async () => (await underWay()).length === 2, {
    what: 'the files to be read',
    intervalMs: 1_000,
  });

  const others = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      upload(`other ${i % 4}`, 'The ships leave at noon. '.repeat(i * 100 + 1), `${i}.txt`),
    ),
  );
  await waitFor(
    async () => {
      const documents = await Promise.all(others.map((id, i) => get(`other ${i % 4}`, id)));
      return documents.every(({ status }) => status === 'ready');
    },
    { what: 'the small documents to be ready', intervalMs: 1_000 },
  );
  expect((await underWay()).length).toBeGreaterThan(0);
});
