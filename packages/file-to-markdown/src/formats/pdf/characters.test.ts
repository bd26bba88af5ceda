import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../../test/support/parse.js';
import { glyphCodes, linesAt, type PdfPage, utf16, writePdf } from '../../../test/support/write-pdf.js';
import { FontCharacters } from './font-characters.js';

async function read(text: PdfPage['text']) {
  const warnings: unknown[] = [];
  const { pages } = await parseBytes(writePdf([{ text: text ?? [] }]), {
    warn: (code, where) => warnings.push([code, where]),
  });
  return { markdown: pages[0]?.markdown, warnings };
}

describe('characters of a PDF', () => {
  it('include hyphens that the font calls soft, and words that they divide are mended', async () => {
    const lines = ['In the years 2019~2021 the station was well known, in~', 'cluding what it measured.'];
    expect((await read(linesAt(50, 700, lines, { font: 'typeset' }))).markdown).toBe(
      'In the years 2019-2021 the station was well known, including what it measured.',
    );
  });

  it('include old-style figures', async () => {
    const lines = ['In the year \x81\x80\x82\x83 it snowed.'];
    expect(await read(linesAt(50, 700, lines, { font: 'typeset' }))).toEqual({
      markdown: 'In the year 1023 it snowed.',
      warnings: [],
    });
  });

  it('are those at the same distance from their codes where the file does not map all', async () => {
    const text = 'From 1924 to 2036 the mast stood';
    expect(await read([[50, 700, glyphCodes(text), { font: 'glyphs' }]])).toEqual({
      markdown: text,
      warnings: [],
    });
  });

  it('are reported missing where nothing maps them', async () => {
    const unknown: NonNullable<PdfPage['text']>[0] = [50, 600, '\0\x01'.repeat(20), { font: 'glyphs' }];
    const known = linesAt(50, 700, ['The station measures wind and rain.']);
    expect(await read([...known, unknown])).toEqual({
      markdown: 'The station measures wind and rain.',
      warnings: [['unknown_characters', { page: 1 }]],
    });
    await expect(read([unknown])).rejects.toMatchObject({
      code: 'unknown_characters',
      message: expect.stringContaining('OCR'),
    });
  });

  it('are found by the usual order of glyphs, if that makes words', () => {
    const font = new FontCharacters({ composite: true, toUnicode: {} });
    const codesOf = (text: string) => [...text].map((character) => character.charCodeAt(0) - 29);
    font.sample(codesOf('The station measures wind and rain every ten minutes.'));
    expect(
      codesOf('From 1924 on')
        .map((code) => font.of(code, String.fromCharCode(code)))
        .join(''),
    ).toBe('From 1924 on');
    expect(font.of(106, 'j')).toBe('à');
    const other = new FontCharacters({ composite: true, toUnicode: {} });
    other.sample(codesOf('$%&/()=!?,;.:-_#+*<>|@{}[]'));
    expect(other.of(36, '$')).toBe('\ufffd');
  });
});

describe('columns of a PDF', () => {
  const columns = [
    'この観測所は風と雨を十分ごとに測っている。測った値は谷の事',
    '務所へ送られる。冬になると塔は氷におおわれ、何も送られない。',
  ];

  it('are read downwards and from the right where a font does not say so', async () => {
    const text = columns.flatMap((column, index) =>
      [...column].map((character, row): NonNullable<PdfPage['text']>[0] => [
        500 - 20 * index,
        780 - 12 * row,
        utf16(character),
        { font: 'japanese', size: 12 },
      ]),
    );
    expect((await read(text)).markdown).toBe(columns.join(''));
  });

  it('are not what lines of one character each make beside others', async () => {
    const text = ['一', '二', '三'].map((character, row): NonNullable<PdfPage['text']>[0] => [
      50,
      700 - 14 * row,
      utf16(character),
      { font: 'japanese' },
    ]);
    expect(
      (
        await read([
          ...linesAt(
            50,
            780,
            columns.map(() => 'The station measures wind'),
          ),
          ...text,
        ])
      ).markdown,
    ).toMatch(/wind\n+一/);
  });
});
