import sharp from 'sharp';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { linesAt, type PdfPage, writePdf } from '../../packages/file-to-markdown/test/support/write-pdf.js';
import { zipOf } from '../../packages/file-to-markdown/test/support/zip.js';
import { useApp } from '../support/app.js';
import { type EngineAnswer, type EngineRequest, startEngineServer } from '../support/engine-server.js';
import { extractedDocuments, httpExtraction } from '../support/extracted-documents.js';

/* What EXTRACTION_FOR has read within documents: pictures, and pages of PDF files with tables. */

let answer: (request: EngineRequest) => EngineAnswer;
const engine = await startEngineServer((request) => (request.method === 'POST' ? answer(request) : {}));
const asked = () =>
  engine.requests
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => [headers['content-type'], headers['x-file-name']]);
const app = useApp({
  extraction: httpExtraction(engine.url, { extractionFor: ['pictures', 'tables'] }),
});
const { scopeOf, upload, get, chunksOf, sourceOf } = extractedDocuments(app);

beforeEach(() => {
  engine.requests.length = 0;
  answer = () => ({ headers: { 'content-type': 'text/markdown' }, body: 'A purple walrus signs here.' });
});
afterAll(() => engine.close());

const sentence = 'The station measures wind and rain on all days of the year.';
const prose: PdfPage = { text: linesAt(50, 700, [sentence]) };
const unknown: PdfPage = {
  text: [...linesAt(50, 700, ['The mast stood.']), [50, 600, '\0\x01'.repeat(20), { font: 'glyphs' }]],
};
const table: PdfPage = {
  text: [
    ['Length', 'Fee'],
    ['under 10 m', '40'],
    ['10 m and more', '75'],
  ].flatMap(
    ([length = '', fee = ''], row): NonNullable<PdfPage['text']> => [
      [60, 700 - 20 * row, length],
      [260, 700 - 20 * row, fee],
    ],
  ),
  rules: [715, 695, 675, 655].flatMap(
    (y): NonNullable<PdfPage['rules']> => [
      [50, y, 400, y],
      ...(y > 655 ? [50, 250, 400].map((x): [number, number, number, number] => [x, y, x, y - 20]) : []),
    ],
  ),
};
const TABLE = '| Length | Fee |\n| --- | --- |\n| under 10 m | 40 |\n| 10 m and more | 75 |';

test('pages with tables and unknown characters go as PDFs of one page, once', async () => {
  const pdf = Buffer.from(writePdf([prose, table, unknown]));
  const id = await upload('pages', pdf, 'fees.pdf');
  await app.settle();
  const read = [
    [1, undefined, sentence],
    [2, 'http', 'A purple walrus signs here.'],
    [3, 'http', 'A purple walrus signs here.'],
  ];
  expect(await get('pages', id)).toMatchObject({ status: 'ready', warnings: [], error: null });
  expect(await chunksOf('pages', id)).toEqual(read);
  expect(asked().toSorted()).toEqual([
    ['application/pdf', 'page-2.pdf'],
    ['application/pdf', 'page-3.pdf'],
  ]);
  expect(await sourceOf('pages', id)).toMatchObject({
    pages: [{ text: sentence }, { text: 'A purple walrus signs here.' }, { number: 3 }],
  });
  engine.requests.length = 0;
  await app
    .trpc()
    .documents.reprocess.mutate({ scope: scopeOf('pages'), documentId: id, unconditional: true });
  await app.settle();
  expect(await chunksOf('pages', id)).toEqual(read);
  expect(asked()).toEqual([]);
});

test('a page that the engine refuses has the text that Lectern reads', async () => {
  answer = () => ({ status: 415 });
  const id = await upload('refused', Buffer.from(writePdf([table, unknown])), 'fees.pdf');
  await app.settle();
  expect(await get('refused', id)).toMatchObject({
    status: 'ready',
    warnings: [{ code: 'unknown_characters', pages: [{ from: 2, to: 2 }], pageCount: 1 }],
  });
  expect(await chunksOf('refused', id)).toEqual([
    [1, undefined, TABLE],
    [2, undefined, expect.stringContaining('The mast stood.')],
  ]);
});

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const paragraph = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`;
const picture = (name: string) =>
  `<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="${name}"/><a:graphic xmlns:a="${DRAWING}"><a:graphicData><a:blip r:embed="${name}"/></a:graphicData></a:graphic></wp:inline></w:drawing>`;
const png = (size: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: { r: 255, g: 255, b: size % 256 } } })
    .png()
    .toBuffer();

async function wordWithPictures(): Promise<Buffer> {
  const cell = (content: string) => `<w:tc>${content}</w:tc>`;
  const body = [
    paragraph('<w:t>Before the picture.</w:t>'),
    paragraph(picture('large')),
    paragraph('<w:t>Between.</w:t>'),
    paragraph(picture('icon')),
    `<w:tbl><w:tr>${cell(paragraph('<w:t>Who</w:t>'))}${cell(paragraph('<w:t>Sign</w:t>'))}</w:tr><w:tr>${cell(paragraph('<w:t>Ada</w:t>'))}${cell(paragraph(picture('other')))}</w:tr></w:tbl>`,
    paragraph('<w:t>After.</w:t>'),
  ].join('');
  const relation = (id: string) => `<Relationship Id="${id}" Type="${R}/image" Target="media/${id}.png"/>`;
  return zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    'word/document.xml': `<w:document xmlns:w="${W}" xmlns:r="${R}"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${['large', 'icon', 'other'].map(relation).join('')}</Relationships>`,
    'word/media/large.png': await png(300),
    'word/media/icon.png': await png(32),
    'word/media/other.png': await png(301),
  });
}

test('large pictures in a document are read at their place', async () => {
  answer = ({ body }) => ({
    headers: { 'content-type': 'text/markdown' },
    body: body.readUInt32BE(16) === 300 ? 'The purple\nwalrus\n\nsigns.' : 'Ada | walrus\n\nsigned',
  });
  const id = await upload('word', await wordWithPictures(), 'signed.docx');
  await app.settle();
  expect(await get('word', id)).toMatchObject({ status: 'ready', warnings: [], error: null });
  const [chunk, ...others] = await chunksOf('word', id);
  expect(others).toEqual([]);
  expect(chunk).toEqual([
    1,
    'http',
    'Before the picture.\n\nThe purple\nwalrus\n\nsigns.\n\nBetween.\n\n| Who | Sign |\n| --- | --- |\n| Ada | Ada \\| walrus signed |\n\nAfter.',
  ]);
  expect(asked()).toHaveLength(2);
});

test('pictures of a document that the engine does not read cost nothing else', async () => {
  answer = () => ({ status: 422 });
  const id = await upload('word-refused', await wordWithPictures(), 'signed.docx');
  await app.settle();
  expect(await get('word-refused', id)).toMatchObject({ status: 'ready', warnings: [], error: null });
  const own = 'Before the picture.\n\nBetween.\n\n| Who | Sign |\n| --- | --- |\n| Ada |  |\n\nAfter.';
  expect(await chunksOf('word-refused', id)).toEqual([[1, undefined, own]]);
});

test('a scan that is attached to a mail is read', async () => {
  const attached = (await png(400)).toString('base64').replace(/.{76}/g, '$&\r\n');
  const mail = [
    'From: ada@example.test',
    'To: grace@example.test',
    'Subject: Delivery note',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the scan.',
    '--b',
    'Content-Type: image/png',
    'Content-Disposition: attachment; filename=note.png',
    'Content-Transfer-Encoding: base64',
    '',
    attached,
    '--b--',
    '',
  ].join('\r\n');
  const id = await upload('mail', Buffer.from(mail), 'note.eml');
  await app.settle();
  expect(await get('mail', id)).toMatchObject({ status: 'ready', warnings: [] });
  const contents = (await chunksOf('mail', id)).map(([, , content]) => content).join('\n');
  expect(contents).toContain('See the scan.');
  expect(contents).toContain('## Attachment: note.png\n\nA purple walrus signs here.');
});
