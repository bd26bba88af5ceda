import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { findTesseract } from '../../src/ingestion/extraction/engines/tesseract/find-tesseract.js';
import { useApp } from '../support/app.js';
import { scannedPdf, type TestPage } from '../support/scans/scanned-pdf.js';

/* Scans of all kinds, read by the program Tesseract of this machine. */

const program = await findTesseract();
const missing = ['eng', 'deu', 'chi_sim'].filter((language) => !program?.languages.includes(language));
if (missing.length > 0)
  console.warn(
    `SKIPPED: scans are not read, as Tesseract lacks ${missing.join(', ')}. On Debian: apt-get install tesseract-ocr tesseract-ocr-deu tesseract-ocr-chi-sim`,
  );

const LINES = {
  english: [
    'Delivery note 4711',
    'Forty crates of green tea were',
    'handed over at the northern gate.',
    'Nobody signed for the umbrellas.',
    'The driver returned on Thursday',
    'with a receipt for eleven lamps.',
  ],
  german: [
    'Lieferschein 4712',
    'Zwölf Fässer mit Öl für die Mühle',
    'wurden am Südtor übergeben.',
    'Die Schlüssel fehlen weiterhin.',
    'Der Fahrer kam am Donnerstag',
    'mit einer Quittung zurück.',
  ],
  chinese: [
    '送货单四七一三',
    '四十箱绿茶已经在北门交给',
    '仓库管理员张先生签收。',
    '雨伞没有人签收。',
    '司机星期四带着收据回来了，',
    '并且归还了十一盏台灯。',
    '其余货物将于下星期一送达。',
    '请在上午九点以前打开大门。',
  ],
};
const FONTS = 'DejaVu Serif, Liberation Serif, WenQuanYi Zen Hei, serif';
const [WIDTH, HEIGHT] = [900, 1273];

/** A page of A4 in large letters. */
async function render(lines: string[], change = (page: Sharp) => page): Promise<Buffer> {
  const text = [...lines, ...lines]
    .map((line, index) => `<text x="90" y="${180 + 60 * index}">${line}</text>`)
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="white"/><g font-family="${FONTS}" font-size="32">${text}</g></svg>`;
  const page = sharp(await sharp(Buffer.from(svg)).flatten().greyscale().png().toBuffer());
  return change(page).png().toBuffer();
}

async function toPage(picture: Buffer, rotate = 0): Promise<TestPage> {
  const { data, info } = await sharp(picture)
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { gray: data, width: info.width, height: info.height, rotate };
}

const halve = (page: Sharp) => page.resize(WIDTH, Math.round(HEIGHT / 2), { fit: 'fill' });

/** As a lamp at one side lights it, a hand holds it, and a telephone stores it. */
async function photograph(lines: string[]): Promise<Buffer> {
  const light = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs><linearGradient id="l"><stop offset="0" stop-color="#555"/><stop offset="1" stop-color="#fff"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#l)"/></svg>`;
  const page = await render(lines, (given) =>
    given.rotate(3, { background: 'white' }).resize(WIDTH, HEIGHT, { fit: 'fill' }),
  );
  const lit = await sharp(page)
    .composite([{ input: Buffer.from(light), blend: 'multiply' }])
    .png()
    .toBuffer();
  return sharp(lit).rotate(90).jpeg({ quality: 75 }).withMetadata({ orientation: 8 }).toBuffer();
}

describe.skipIf(missing.length > 0)('Tesseract', { timeout: 120_000 }, () => {
  const app = useApp({ extraction: readConfig({ EXTRACTION_API: 'tesseract' }).extraction });
  const scope = { tenantId: 'acme', tenantUnitId: 'unit' };

  async function upload(bytes: Buffer, name: string): Promise<string> {
    const form = new FormData();
    form.set('tenantId', scope.tenantId);
    form.set('tenantUnitId', scope.tenantUnitId);
    form.set('documentType', 'UnstructuredFile');
    form.set('datasetIds', name);
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    const { body } = await app.request('POST', '/admin/api/v1/documents/upload', { body: form });
    return body.id;
  }

  async function find(name: string, query: string) {
    const hits = await app.trpc().chunks.search.query({ scope, query, datasetIds: [name], topK: 1 });
    return hits.map(({ citation }) => [citation.extractedBy, citation.pages?.first]);
  }

  test('reads a fax of several pages in three languages, some on their side or upside down', async () => {
    const pages: TestPage[] = await Promise.all([
      toPage(await render(LINES.english)),
      // As the file says to show it.
      toPage(await render(LINES.german, (page) => page.rotate(-90)), 90),
      toPage(await render(LINES.chinese)),
      // As nobody says.
      toPage(await render(LINES.english.toReversed(), (page) => page.rotate(180))),
      toPage(await render(LINES.german.toReversed(), (page) => page.rotate(90))),
      toPage(await render(LINES.chinese.toReversed(), (page) => page.rotate(270))),
      toPage(await render(LINES.chinese, (page) => page.rotate(90))),
      // With half the resolution from top to bottom, as faxes have.
      { ...(await toPage(await render(LINES.german, halve))), pageHeight: 842 },
    ]);
    const id = await upload(scannedPdf(pages), 'fax.pdf');
    await app.settle();
    const { items } = await app.trpc().chunks.list.query({ scope, documentId: id, pageSize: 100 });
    const text = (page: number) =>
      items
        .filter(({ metadata }) => metadata.page_number === page)
        .map(({ content }) => content)
        .join('\n');
    const words = [/umbrellas/, /Mühle/, /绿茶/, /umbrellas/, /Mühle/, /绿茶/, /绿茶/, /Mühle/];
    for (const [index, word] of words.entries()) expect(text(index + 1)).toMatch(word);
    expect(await find('fax.pdf', 'Fässer mit Öl')).toEqual([['tesseract', expect.toBeOneOf([2, 5, 8])]]);
    expect(await find('fax.pdf', '绿茶')).toEqual([['tesseract', expect.toBeOneOf([3, 6, 7])]]);
  });

  test('reads photographs, turned as the camera says, askew and lit from one side', async () => {
    await upload(await photograph(LINES.english), 'photo.jpg');
    await upload(await photograph(LINES.german), 'foto.jpg');
    await app.settle();
    expect(await find('photo.jpg', 'umbrellas at the northern gate')).toEqual([['tesseract', undefined]]);
    expect(await find('foto.jpg', 'Schlüssel')).toEqual([['tesseract', undefined]]);
  });

  test('a picture without text fails, and says why', async () => {
    const id = await upload(await render([]), 'blank.png');
    await app.settle();
    expect(await app.trpc().documents.get.query({ scope, documentId: id })).toMatchObject({
      status: 'failed',
      error: { code: 'nothing_recognized', message: expect.stringContaining('has found no text') },
    });
  });
});
