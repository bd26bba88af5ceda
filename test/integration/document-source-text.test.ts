import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { TENANT, TENANT_UNIT } from './support/rest-client.js';
import { readSourceText } from './support/source-text.js';

const app = useApp({ authMode: 'required' });
const everything = async () => app.trpc({ 'x-api-key': (await app.makeKey()).key });
const documentType = 'UnstructuredFile' as const;

async function upload(name: string, fields: object = {}): Promise<string> {
  const { files, documents } = await everything();
  const bytes = readFileSync(`packages/file-to-markdown/test/fixtures/${name}`);
  const { fileId } = await files.upload.mutate(new Blob([bytes]));
  const file = { fileId, fileName: name, mediaType: 'application/pdf' };
  const { id } = await documents.create.mutate({ scope: TENANT_UNIT, documentType, file, ...fields });
  await app.settle();
  return id;
}

describe('the text of a source', () => {
  test('comes page by page, with the places of the chunks', async () => {
    const documentId = await upload('chinese.pdf');
    const { documents, chunks } = await everything();
    const { items } = await chunks.list.query({ scope: TENANT, documentId });
    const text = await readSourceText(documents, { scope: TENANT, documentId, pages: 20 });
    expect(text).toMatchObject({ unavailable: null, subType: 'pdf', pageCount: 2 });
    expect(text.pages.map(({ page, number }) => [page, number])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const placed = text.pages.flatMap((page) =>
      page.chunks.map(({ chunkId, start, end }) => [chunkId, page.number, page.text.slice(start, end)]),
    );
    expect(placed).toEqual(items.map(({ id, content, metadata }) => [id, metadata.page_number, content]));

    const second = await readSourceText(documents, { scope: TENANT, documentId, page: 2 });
    expect(second.pages).toEqual([text.pages[1]]);
    const around = await readSourceText(documents, { scope: TENANT, documentId, around: items.length - 1 });
    expect(around.pages).toEqual([text.pages[1]]);
    const beyond = await readSourceText(documents, { scope: TENANT, documentId, page: 3 });
    expect(beyond).toEqual({ unavailable: null, subType: 'pdf', pageCount: 2, pages: [] });
  });

  test('shows edited chunks where their original is, and deleted ones not', async () => {
    const { documents, chunks } = await everything();
    const { id: documentId } = await documents.create.mutate({
      scope: TENANT_UNIT,
      documentType,
      documentContent: 'Salt comes first.|Pepper comes last.|Salt comes first.',
      chunking: { size: 100, overlap: 0, separators: ['|'] },
    });
    await app.settle();
    const { items } = await chunks.list.query({ scope: TENANT, documentId });
    const [one, two, three] = items.map(({ id }) => id);
    await chunks.update.mutate({ scope: TENANT, documentId, chunkId: one!, content: 'Sugar.' });
    await chunks.deleteMany.mutate({ scope: TENANT, documentId, chunkIds: [two!] });
    const { pages } = await readSourceText(documents, { scope: TENANT, documentId });
    expect(pages).toEqual([
      {
        page: 1,
        number: 1,
        start: 0,
        text: 'Salt comes first.|Pepper comes last.|Salt comes first.',
        chunks: [
          { chunkId: one, ordinal: 0, start: 0, end: 18 },
          { chunkId: null, ordinal: 1, start: 18, end: 37 },
          { chunkId: three, ordinal: 2, start: 37, end: 54 },
        ],
      },
    ]);
  });

  test('a long text falls into pages that together are all of it', async () => {
    const { documents, chunks } = await everything();
    const paragraphs = Array.from({ length: 300 }, (_, n) => `Paragraph ${n} tells 😀 something. `.repeat(4));
    const documentContent = paragraphs.map((text) => text.trim()).join('\n\n');
    const { id: documentId } = await documents.create.mutate({
      scope: TENANT_UNIT,
      documentType,
      documentContent,
    });
    await app.settle();
    const { pages, pageCount } = await readSourceText(documents, { scope: TENANT, documentId, pages: 20 });
    expect(pages.map(({ text }) => text).join('')).toBe(documentContent);
    expect(pageCount).toBe(pages.length);
    expect(pageCount).toBeGreaterThan(3);
    const { items } = await chunks.list.query({ scope: TENANT, documentId, pageSize: 100 });
    const found = new Map<string, string>();
    for (const page of pages) {
      for (const { chunkId, start, end } of page.chunks) {
        found.set(chunkId!, (found.get(chunkId!) ?? '') + page.text.slice(start, end));
      }
    }
    expect([...found]).toEqual(items.map(({ id, content }) => [id, content]));
  });

  test('says why there is none', async () => {
    const { documents } = await everything();
    const none = { subType: null, pageCount: 0, pages: [] };
    const page = await documents.create.mutate({
      scope: TENANT_UNIT,
      documentType,
      url: 'https://pages.invalid/page',
    });
    const encrypted = await upload('encrypted.pdf');
    const ask = (documentId: string) => readSourceText(documents, { scope: TENANT, documentId });
    expect(await ask(page.id)).toEqual({ ...none, unavailable: 'not_kept' });
    expect(await ask(encrypted)).toEqual({ ...none, unavailable: 'unreadable' });
  });
});

describe('the bytes of a source', () => {
  test('come in parts', async () => {
    const documentId = await upload('contract.pdf');
    const { documents } = await everything();
    const bytes = readFileSync('packages/file-to-markdown/test/fixtures/contract.pdf');
    const head = { fileName: 'contract.pdf', mediaType: 'application/pdf', sizeBytes: bytes.length };
    const read = (offset: number, length: number) =>
      documents.readSource.query({ scope: TENANT, documentId, offset, length });
    expect(await read(0, 5)).toEqual({ ...head, base64: Buffer.from('%PDF-').toString('base64') });
    const tail = bytes.subarray(bytes.length - 10).toString('base64');
    expect(await read(bytes.length - 10, 100)).toEqual({ ...head, base64: tail });
    expect(await read(bytes.length, 1)).toEqual({ ...head, base64: '' });
    expect(Buffer.from((await read(0, 2 ** 20)).base64, 'base64')).toEqual(bytes.subarray(0, 2 ** 20));
    await expect(read(0, 2 ** 20 + 1)).rejects.toMatchObject({ data: { code: 'UNPROCESSABLE_CONTENT' } });
  });

  test('are those of an uploaded file alone', async () => {
    const { documents } = await everything();
    const { id: documentId } = await documents.create.mutate({
      scope: TENANT_UNIT,
      documentType,
      documentContent: 'Text.',
    });
    const read = documents.readSource.query({ scope: TENANT, documentId, offset: 0, length: 1 });
    await expect(read).rejects.toMatchObject({
      data: {
        code: 'CONFLICT',
        detail: [{ type: 'conflict', loc: ['documentId'], msg: 'No file is stored for this document.' }],
      },
    });
  });
});

test('a key of other datasets, or of another tenant, learns nothing', async () => {
  const documentId = await upload('contract.pdf', { datasetIds: ['contracts'] });
  const scopes = ['documents:read' as const];
  const outsiders = [
    { key: await app.makeKey({ scopes, datasetIds: ['faq'] }), scope: TENANT },
    { key: await app.makeKey({ scope: { tenantId: 'other' } }), scope: { tenantId: 'other' } },
  ];
  for (const { key, scope } of outsiders) {
    const { documents } = app.trpc({ 'x-api-key': key.key });
    for (const ask of [
      () => documents.sourceText.query({ scope, documentId }),
      () => documents.readSource.query({ scope, documentId, offset: 0, length: 1 }),
      () => documents.history.query({ scope, documentId }),
    ]) {
      const detail = [{ type: 'not_found', loc: ['documentId'], msg: 'Document not found.' }];
      await expect(ask()).rejects.toMatchObject({ data: { code: 'NOT_FOUND', detail } });
    }
  }
});
