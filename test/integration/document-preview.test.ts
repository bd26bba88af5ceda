import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';

const app = useApp({ fetchAllowHosts: ['127.0.0.1'], authMode: 'required' });
const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
const TEXT =
  '# Returns\n\nGoods can be sent back within 30 days. We pay the postage.\n\n# Repairs\n\nThey take a week.';

type Caller = ReturnType<typeof app.trpc>;
type Preview = Parameters<Caller['documents']['previewChunks']['mutate']>[0];
let caller: Caller;
beforeAll(async () => {
  caller = app.trpc({ 'x-api-key': (await app.makeKey()).key });
});

const server = createServer((req, res) => {
  if (req.url === '/page') res.setHeader('content-type', 'text/plain').end(TEXT);
  else res.writeHead(404).end();
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

const preview = (given: Omit<Preview, 'scope'>) => caller.documents.previewChunks.mutate({ scope, ...given });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'succeeded',
    ({ data: { httpStatus, detail } }) => ({ httpStatus, detail }),
  );
const chunk = (ordinal: number, content: string, contentComplement: string) => ({
  ordinal,
  content,
  contentComplement,
  keywords: expect.any(Object),
  page: 1,
});
const CHUNKS = [
  chunk(0, '# Returns\n\nGoods can be sent back within 30 days. We pay the postage.', 'Returns'),
  chunk(1, '# Repairs\n\nThey take a week.', 'Repairs'),
];
const whole = { subType: 'md', chunkCount: 2, truncated: false, warnings: [], chunks: CHUNKS };

test('shows the chunks that a document would have, and stores nothing', async () => {
  const before = await caller.audit.list.query({ scope: { tenantId: 'acme' } });
  const given = { documentName: 'returns.md', documentContent: TEXT };
  expect(await preview(given)).toEqual(whole);
  expect(await preview({ ...given, limit: 1 })).toEqual({ ...whole, chunks: CHUNKS.slice(0, 1) });
  const words = { ...given, documentContent: 'one two three four five. '.repeat(20) };
  expect(await preview({ ...words, chunking: { size: 100, overlap: 0 } })).toMatchObject({ chunkCount: 5 });
  expect(await preview({ ...words, chunking: { separators: ['five'] } })).toMatchObject({ chunkCount: 21 });

  const page = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page` };
  expect(await preview(page)).toMatchObject({ chunkCount: 2 });
  expect(await caller.documents.list.query({ scope })).toMatchObject({ items: [], totalCount: 0 });
  expect(await caller.audit.list.query({ scope: { tenantId: 'acme' } })).toEqual(before);
});

test('of an uploaded file leaves it for the document; a foreign one is unknown', async () => {
  const upload = await caller.files.upload.mutate(new Blob([TEXT]));
  const file = { fileId: upload.fileId, fileName: 'returns.md' };
  expect(await preview({ file })).toEqual(whole);
  expect(await preview({ file })).toEqual(whole);
  await caller.documents.create.mutate({ scope, documentType: 'UnstructuredFile', file });
  const unknown = {
    httpStatus: 422,
    detail: [
      {
        type: 'value_error.unknown_file',
        loc: ['file', 'fileId'],
        msg: 'The file does not exist, or a document already uses it.',
      },
    ],
  };
  expect(await failureOf(preview({ file }))).toEqual(unknown);

  const { key } = await app.makeKey({ scope: { tenantId: 'other' } });
  const theirs = await app.trpc({ 'x-api-key': key }).files.upload.mutate(new Blob([TEXT]));
  expect(await failureOf(preview({ file: { fileId: theirs.fileId } }))).toEqual(unknown);
});

test('of a long text ends where enough chunks are counted', async () => {
  const documentContent = 'All that is long must be split somewhere, and counted.\n\n'.repeat(5_000);
  const { chunks, ...rest } = await preview({ documentContent, chunking: { size: 100, overlap: 0 } });
  expect(rest).toEqual({ subType: null, chunkCount: expect.any(Number), truncated: true, warnings: null });
  expect(rest.chunkCount).toBeGreaterThanOrEqual(1_000);
  expect(chunks.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 20 }, (_, place) => place));
  expect(await preview({ documentContent: TEXT })).toMatchObject({ chunkCount: 2 });
});

test('says in words what cannot be read, at the field that is about', async () => {
  const { fileId } = await caller.files.upload.mutate(
    new Blob([readFileSync('packages/file-to-markdown/test/fixtures/encrypted.pdf')]),
  );
  expect(await failureOf(preview({ file: { fileId } }))).toEqual({
    httpStatus: 422,
    detail: [{ type: 'value_error.encrypted', loc: ['file'], msg: expect.stringContaining('password') }],
  });
  const { port } = server.address() as AddressInfo;
  expect(await failureOf(preview({ url: `http://127.0.0.1:${port}/gone` }))).toMatchObject({
    httpStatus: 422,
    detail: [{ loc: ['url'], msg: expect.stringContaining('404') }],
  });
  expect(await failureOf(preview({ url: 'http://192.168.0.1/page' }))).toMatchObject({
    httpStatus: 422,
    detail: [{ loc: ['url'] }],
  });
  const one = 'give exactly one of documentContent, file, url, and storageBucket with storagePath';
  for (const given of [{}, { documentContent: TEXT, url: 'http://pages.test/' }]) {
    expect(await failureOf(preview(given))).toEqual({
      httpStatus: 422,
      detail: [{ type: 'value_error.custom', loc: [], msg: one }],
    });
  }
});
