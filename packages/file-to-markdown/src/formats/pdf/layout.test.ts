import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../../test/support/parse.js';
import { linesAt, type PdfPage, utf16, writePdf } from '../../../test/support/write-pdf.js';

const markdownOf = async (...pages: PdfPage[]) =>
  (await parseBytes(writePdf(pages))).pages.map(({ markdown }) => markdown);

const PROSE = [
  'The station measures wind and rain every ten minutes, and sends',
  'what it has measured to the office in the valley once a day. In',
  'winter the mast is covered with ice, so that nothing is sent for',
  'weeks at a time.',
];

describe('lines of a PDF', () => {
  it('mends words divided at line ends, and keeps the hyphens of compounds', async () => {
    const lines = [
      'A simple dual-encoder framework is described here by way of an exam-',
      'ple. The system retrieves with a dual-',
      'encoder, on 12 GPUs, and not with an X-',
      'ray of the text. It was trained by the OECD-',
      'based group in the years 2019-',
      '2021, and is not well understood.',
    ];
    expect(await markdownOf({ text: linesAt(50, 700, lines) })).toEqual([
      'A simple dual-encoder framework is described here by way of an example. The system retrieves with a ' +
        'dual-encoder, on 12 GPUs, and not with an X-ray of the text. It was trained by the OECD-based group in ' +
        'the years 2019-2021, and is not well understood.',
    ]);
  });

  it('mends a word that the end of a page divides, on the page where it begins', async () => {
    const first = { text: linesAt(50, 100, ['What the station in the mountains has recorded is infor-']) };
    const second = { text: linesAt(50, 780, ['mation that nobody else has, and it is kept for ever.']) };
    expect(await markdownOf(first, second)).toEqual([
      'What the station in the mountains has recorded is information',
      'that nobody else has, and it is kept for ever.',
    ]);
  });

  it('keeps lists, verse and code by the line, and joins prose', async () => {
    const text = [
      ...linesAt(50, 780, ['Weather'], { size: 18 }),
      ...linesAt(50, 750, PROSE),
      ...linesAt(50, 680, [
        '1. Oil the bearings.',
        '2. Read the display, and write down',
        '    what it shows.',
      ]),
      ...linesAt(50, 620, ['Bold lines are headings'], { font: 'bold' }),
      ...linesAt(50, 600, [
        'O wind that blows the whole day long,',
        'Be still,',
        'Be calm,',
        'And let the mast be.',
      ]),
      ...linesAt(50, 540, ['read(mast) {', '  return ice;', '}'], { font: 'mono' }),
    ];
    expect(await markdownOf({ text })).toEqual([
      '# Weather\n\n' +
        `${PROSE.join(' ')}\n\n` +
        '1. Oil the bearings.\n2. Read the display, and write down what it shows.\n\n' +
        '## Bold lines are headings\n\n' +
        'O wind that blows the whole day long,\nBe still,\nBe calm,\nAnd let the mast be.\n\n' +
        '```\nread(mast) {\n  return ice;\n}\n```',
    ]);
  });

  it('reads what is drawn twice once, and puts accents on their letters', async () => {
    const text: PdfPage['text'] = [
      [50, 700, 'Bold by force', { size: 10 }],
      [50.3, 700, 'Bold by force', { size: 10 }],
      [50, 650, 'Barlas \xa8Ozg\xa8ur'],
    ];
    expect(await markdownOf({ text })).toEqual(['Bold by force\n\nBarlas Özgür']);
  });

  it('reads right-to-left words in their order', async () => {
    const text: PdfPage['text'] = [
      [50, 700, 'dcba', { font: 'hebrew' }],
      [100, 700, 'dbe', { font: 'hebrew' }],
    ];
    expect(await markdownOf({ text })).toEqual(['עלם שלום']);
  });
});

describe('reading order of a PDF', () => {
  it('reads columns one after the other, whatever the order in which they were written', async () => {
    const left = linesAt(50, 700, PROSE);
    const right = linesAt(380, 700, [
      'A mast stands on the ridge since',
      '1924, and has never been moved',
      'from there.',
    ]);
    const title = linesAt(50, 760, ['A heading across both of the columns that are below it'], { size: 16 });
    const markdown =
      `# A heading across both of the columns that are below it\n\n${PROSE.join(' ')}\n\n` +
      'A mast stands on the ridge since 1924, and has never been moved from there.';
    expect(await markdownOf({ text: [...right, ...title, ...left] })).toEqual([markdown]);
  });

  it('tells columns that were written line by line from the cells of a table', async () => {
    const lines = [...PROSE, ...PROSE];
    const left = linesAt(50, 700, lines);
    const right = linesAt(
      380,
      700,
      lines.map((line) => line.slice(0, 36)),
    );
    const text = left.flatMap((line, index) => [line, ...right.slice(index, index + 1)]);
    const [markdown] = await markdownOf({ text });
    expect(markdown).toMatch(
      /^The station measures wind and rain every ten minutes, and sends what it has measured/,
    );
    expect(markdown).not.toContain('|');
  });

  it('goes on in the next column before the footnotes of the last', async () => {
    const note = linesAt(50, 600, ['1 Measured by hand, and not by the mast.'], { size: 7 });
    const left = linesAt(
      50,
      700,
      PROSE.slice(0, 2).map((line) => line.slice(0, 50)),
    );
    const right = linesAt(340, 700, ['winter the mast is covered with ice, so', 'that nothing is sent.']);
    expect(await markdownOf({ text: [...left, ...note, ...right] })).toEqual([
      `${left.map(([, , line]) => line.trim()).join(' ')} winter the mast is covered with ice, so that nothing is sent.` +
        '\n\n1 Measured by hand, and not by the mast.',
    ]);
  });

  it('reads turned pages, and what stands across the text after it', async () => {
    const turned = PROSE.map((line, index): NonNullable<PdfPage['text']>[0] => [
      100 + 12 * index,
      50,
      line,
      { turn: 90 },
    ]);
    const stamp: NonNullable<PdfPage['text']>[0] = [30, 200, 'Copy of the archive', { size: 20 }];
    expect(await markdownOf({ text: [stamp, ...turned], rotate: 90 })).toEqual([
      `${PROSE.join(' ')}\n\nCopy of the archive`,
    ]);
  });
});

describe('running titles of a PDF', () => {
  const page = (number: number): PdfPage => ({
    text: [
      [50, 800, number % 2 ? 'Yearbook of the station' : `Chapter ${Math.ceil(number / 3)}`],
      ...linesAt(50, 700, [`Report number ${number}`, ...PROSE]),
      [280, 40, `Page ${number + 4} of 20`],
    ],
  });

  it('drops what repeats in the margins of near pages, with numbers that rise', async () => {
    const pages = await markdownOf(...Array.from({ length: 8 }, (_, index) => page(index + 1)));
    expect(pages.join('\n')).not.toMatch(/Yearbook|Page \d/);
    expect(pages[6]).toBe(`Report number 7\n${PROSE.join(' ')}`);
  });

  it('keeps them in short documents, and tables whose rows only look alike', async () => {
    const short = (await markdownOf(page(1), page(2))).join('\n');
    for (const title of ['Yearbook', 'Page 5 of 20', 'Chapter 1']) expect(short).toContain(title);
    const figures = [11, 45, 23, 98].map((value) => ({ text: linesAt(50, 60, [`${value} ${value + 7}`]) }));
    expect(await markdownOf(...figures)).toEqual(['11 18', '45 52', '23 30', '98 105']);
  });

  it('keeps a page whose only text they are', async () => {
    const text: PdfPage['text'] = [[50, 800, 'Nothing but this']];
    expect(await markdownOf({ text }, { text }, { text })).toEqual(Array(3).fill('Nothing but this'));
  });
});

describe('headings of a PDF', () => {
  const body = Array.from({ length: 8 }, () => PROSE).flat();
  const below = (large: [string, number][]): PdfPage => ({
    text: [...large.flatMap(([text, y]) => linesAt(50, y, [text], { size: 20 })), ...linesAt(50, 500, body)],
  });

  it('are one where they end so as to go on', async () => {
    const [markdown] = await markdownOf(
      below([
        ['A Comparison of', 750],
        ['Mountain Stations', 690],
      ]),
    );
    expect(markdown?.split('\n\n')[0]).toBe('# A Comparison of Mountain Stations');
  });

  it.each(['Figure 3: The mast', 'Abb. 2 Der Mast', 'Tabla 4. Datos', 'TABLE IV'])(
    'are not captions of figures and tables: %s',
    async (text) => {
      const [markdown] = await markdownOf(below([[text, 700]]));
      expect(markdown?.split('\n\n')[0]).toBe(text);
    },
  );

  it.each([
    ['图1 系统结构', '图1 系统结构'],
    ['表 2', '表 2'],
    ['本系统把文件变成文字。', '本系统把文件变成文字。'],
    ['图书馆', '# 图书馆'],
    ['怎样上传文件？', '# 怎样上传文件？'],
  ])('are in Chinese neither captions nor sentences: %s', async (text, expected) => {
    const large: PdfPage['text'] = [[50, 700, utf16(text), { font: 'japanese', size: 20 }]];
    const [markdown] = await markdownOf({ text: [...large, ...linesAt(50, 500, body)] });
    expect(markdown?.split('\n\n')[0]).toBe(expected);
  });

  it.each(['For information and support, call', 'office@example.org', 'stationes.con', 'In the valley,'])(
    'are not what asks for more, nor addresses: %s',
    async (text) => {
      const [markdown] = await markdownOf(below([[text, 700]]));
      expect(markdown?.split('\n\n')[0]).toBe(text);
    },
  );
});
