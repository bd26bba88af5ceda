import { randomBytes } from 'node:crypto';
import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../../test/support/parse.js';
import { linesAt, type PdfPage, writePdf } from '../../../test/support/write-pdf.js';
import type { Picture, RecognizeAlso } from '../../types.js';

const prose: PdfPage = { text: linesAt(50, 700, ['The station measures wind and rain.']) };
const unknown: PdfPage = {
  text: [...linesAt(50, 700, ['The mast stood.']), [50, 600, '\0\x01'.repeat(20), { font: 'glyphs' }]],
};
const unknownAlone: PdfPage = { text: [[50, 600, '\0\x01'.repeat(20), { font: 'glyphs' }]] };
/** Letters as a drawing program writes them. */
const drawn: PdfPage = {
  rules: Array.from({ length: 60 }, (_, index) => [50 + 5 * index, 600, 53 + 5 * index, 610]),
};
const scan: PdfPage = { hasImage: true };
const tableLines: [string, string][] = [
  ['Length', 'Fee'],
  ['under 10 m', '40'],
  ['10 m and more', '75'],
];
const table: PdfPage = {
  text: tableLines.flatMap(
    ([length, fee], row): NonNullable<PdfPage['text']> => [
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

/** Parses a PDF, and tells what was asked for: the text of a PDF of one page, the size of a picture. */
async function ask(
  pdf: Uint8Array,
  recognizeAlso: RecognizeAlso | undefined,
  answer: (picture: Picture) => string[] | undefined = ({ page }) => [`(read ${page})`],
) {
  const asked: (Omit<Picture, 'read'> & { given: string })[] = [];
  const warnings: unknown[] = [];
  const recognize = async (picture: Picture) => {
    const { read, ...about } = picture;
    const given = await read();
    asked.push({ ...about, given: 'pixels' in given ? 'picture' : given.mediaType });
    return answer(picture);
  };
  const warn = (...warning: unknown[]) => warnings.push(warning);
  const { pages } = await parseBytes(pdf, { recognize, warn, ...(recognizeAlso && { recognizeAlso }) });
  asked.sort((one, other) => one.page - other.page);
  return { pages: pages.map(({ markdown }) => markdown), asked, warnings };
}

/** The pages that are given, as they are parsed again. */
async function pagesGiven(pdf: Uint8Array, recognizeAlso: RecognizeAlso) {
  const given: Uint8Array[] = [];
  await parseBytes(pdf, {
    recognizeAlso,
    recognize: async ({ read }) => {
      const picture = await read();
      if ('bytes' in picture) given.push(picture.bytes);
      return ['read'];
    },
  });
  return given;
}

const PDF = 'application/pdf';

describe('pages of a PDF that something else reads', () => {
  it('are scans alone, as pictures, where nothing else is wanted', async () => {
    expect(await ask(writePdf([prose, scan, unknown, table]), undefined)).toEqual({
      pages: ['The station measures wind and rain.', '(read 2)', 'The mast stood.', TABLE],
      asked: [{ page: 2, loss: { code: 'pages_without_text', page: 2 }, given: 'picture' }],
      warnings: [['unknown_characters', { page: 3 }]],
    });
  });

  it('are also those whose characters nobody knows, and those that draw their text', async () => {
    expect(await ask(writePdf([prose, unknown, drawn, scan, table]), { pdfPages: true })).toEqual({
      pages: ['The station measures wind and rain.', '(read 2)', '(read 3)', '(read 4)', TABLE],
      asked: [
        { page: 2, loss: { code: 'unknown_characters', page: 2 }, ownText: 'The mast stood.', given: PDF },
        { page: 3, loss: { code: 'pages_without_text', page: 3 }, given: PDF },
        { page: 4, loss: { code: 'pages_without_text', page: 4 }, given: 'picture' },
      ],
      warnings: [],
    });
  });

  it('are also those with tables, each once', async () => {
    const both = { ...table, text: [...(table.text ?? []), ...(unknownAlone.text ?? [])] };
    expect(await ask(writePdf([table, scan, both, prose]), { pdfPages: true, tables: true })).toEqual({
      pages: ['(read 1)', '(read 2)', '(read 3)', 'The station measures wind and rain.'],
      asked: [
        { page: 1, ownText: TABLE, given: PDF },
        { page: 2, loss: { code: 'pages_without_text', page: 2 }, given: 'picture' },
        { page: 3, loss: { code: 'unknown_characters', page: 3 }, ownText: TABLE, given: PDF },
      ],
      warnings: [],
    });
  });

  it('stay as they are where they are not read', async () => {
    const pdf = writePdf([unknown, drawn, table]);
    expect(await ask(pdf, { pdfPages: true, tables: true }, () => undefined)).toMatchObject({
      pages: ['The mast stood.', '', TABLE],
      warnings: [
        ['pages_without_text', { page: 2 }],
        ['unknown_characters', { page: 1 }],
      ],
    });
  });

  it('are asked for as soon as they are met', async () => {
    const progress: number[] = [];
    const recognize = async () => {
      throw new Error('An engine is needed.');
    };
    const parsing = parseBytes(writePdf([prose, scan, prose, prose]), {
      recognize,
      onProgress: (fraction) => progress.push(fraction),
    });
    await expect(parsing).rejects.toThrow('An engine is needed.');
    expect(progress).toEqual([0.25]);
  });

  it('are asked for where the whole file does not tell its characters', async () => {
    const pdf = writePdf([unknownAlone, unknownAlone]);
    const asked = await ask(pdf, { pdfPages: true }, ({ page }) => (page === 1 ? ['Wind.'] : undefined));
    expect(asked).toMatchObject({ pages: ['Wind.', ''], warnings: [['unknown_characters', { page: 2 }]] });
    await expect(ask(pdf, { pdfPages: true }, () => undefined)).rejects.toMatchObject({
      code: 'unknown_characters',
    });
    await expect(ask(pdf, { tables: true })).rejects.toMatchObject({ code: 'unknown_characters' });
  });

  it('have no part of a word from the next page, which they may lose', async () => {
    const end = linesAt(50, 100, ['It was the longest of all the lines that anybody had ever mea-']);
    const pdf = writePdf([
      { ...table, text: [...(table.text ?? []), ...end] },
      { text: linesAt(50, 780, ['sured on this coast, and the station has recorded every one of them.']) },
    ]);
    const { pages } = await ask(pdf, { tables: true }, () => undefined);
    expect(pages[1]).toBe('sured on this coast, and the station has recorded every one of them.');
  });
});

describe('a page as a PDF', () => {
  it('has this page alone', async () => {
    const pdf = writePdf([prose, unknown, { ...table, rotate: 90 }, table]);
    const given = await pagesGiven(pdf, { pdfPages: true, tables: true });
    const parsed = await Promise.all(given.map((bytes) => parseBytes(bytes)));
    expect(parsed.map(({ pages }) => pages)).toEqual(
      ['The mast stood.', TABLE, TABLE].map((markdown) => [{ number: 1, markdown }]),
    );
  });

  it('is readable where the file is encrypted, and opens without a password', async () => {
    const file = await PDFDocument.load(writePdf([prose, table]));
    file.encrypt({ ownerPassword: 'owner' });
    const [page] = await pagesGiven(await file.save(), { tables: true });
    expect((await parseBytes(page ?? Buffer.of())).pages).toEqual([{ number: 1, markdown: TABLE }]);
  });

  it('has neither what other pages are drawn with nor those that it links to', async () => {
    const file = await PDFDocument.load(writePdf([table, prose]));
    const [first, second] = file.getPages();
    if (!first || !second) throw new Error('There are two pages.');
    const { context } = file;
    const image = context.register(
      context.stream(randomBytes(100_000), { Subtype: 'Image', Type: 'XObject' }),
    );
    const images = context.obj({ Large: image });
    for (const page of [first, second]) page.node.Resources()?.set(PDFName.of('XObject'), images);
    second.node.set(PDFName.of('Padding'), context.register(context.stream(randomBytes(100_000))));
    const link = { Type: 'Annot', Subtype: 'Link', Rect: [50, 50, 90, 90], Dest: [second.ref, 'Fit'] };
    first.node.set(PDFName.of('Annots'), context.obj([context.register(context.obj(link))]));
    const [page = Buffer.of()] = await pagesGiven(await file.save(), { tables: true });
    expect(page.length).toBeLessThan(20_000);
    expect((await parseBytes(page)).pages).toEqual([{ number: 1, markdown: TABLE }]);
  });

  it('shows what its form is filled in with', async () => {
    const pdf = await PDFDocument.load(writePdf([{ ...table, buttons: [[500, 700, 'box', true]] }]));
    const [page = Buffer.of()] = await pagesGiven(await pdf.save(), { tables: true });
    const annotations = (await PDFDocument.load(page)).getPage(0).node.Annots();
    expect(annotations?.size()).toBe(1);
  });
});
