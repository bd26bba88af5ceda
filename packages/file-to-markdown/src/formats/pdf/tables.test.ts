import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../../test/support/parse.js';
import { linesAt, type PdfPage, writePdf } from '../../../test/support/write-pdf.js';

const markdownOf = async (page: PdfPage) => (await parseBytes(writePdf([page]))).pages[0]?.markdown;
type Text = NonNullable<PdfPage['text']>;

const XS = [50, 200, 300, 400];
const rowsAt = (top: number, rows: readonly string[][]): Text =>
  rows.flatMap((row, index) =>
    row.map((cell, column): Text[0] => [(XS[column] ?? 0) + 4, top - 20 * index, cell]),
  );

const ROWS = [
  ['Station', 'Height', 'Ice'],
  ['North ridge', '2,410', '87'],
  ['East ridge', '2,175', '64'],
  ['Valley', '640', '12'],
];

describe('tables of a PDF', () => {
  it('finds columns that stand in line, between the paragraphs around them', async () => {
    const text = [
      ...linesAt(50, 760, ['Where ice was measured, and on how many days of the year:']),
      ...rowsAt(730, ROWS),
      ...linesAt(50, 630, ['All heights are given in metres above the level of the sea.']),
    ];
    expect(await markdownOf({ text })).toBe(
      'Where ice was measured, and on how many days of the year:\n\n' +
        '| Station | Height | Ice |\n| --- | --- | --- |\n| North ridge | 2,410 | 87 |\n' +
        '| East ridge | 2,175 | 64 |\n| Valley | 640 | 12 |\n\n' +
        'All heights are given in metres above the level of the sea.',
    );
  });

  it('fills drawn cells, with several lines and with cells that are one', async () => {
    const text: Text = [
      [54, 706, 'Station'],
      [204, 706, 'What is measured'],
      [54, 680, 'North ridge'],
      ...linesAt(204, 686, ['Wind and', 'tempera-', 'ture']),
      [304, 680, 'Every hour'],
    ];
    const rules: PdfPage['rules'] = [
      ...[720, 700, 650].map((y): [number, number, number, number] => [50, y, 400, y]),
      ...[50, 200, 400].map((x): [number, number, number, number] => [x, 650, x, 720]),
      [300, 650, 300, 700],
    ];
    expect(await markdownOf({ text, rules })).toBe(
      '| Station | What is measured |  |\n| --- | --- | --- |\n| North ridge | Wind and temperature | Every hour |',
    );
  });

  it('takes lines between the rows as enough for two columns of words', async () => {
    const rows = [
      ['Shop', 'What counts'],
      ['Bakery', 'Bread and cakes'],
      ['Kiosk', 'Papers'],
    ];
    const rules = [740, 720, 700, 680].map((y): [number, number, number, number] => [50, y, 300, y]);
    expect(await markdownOf({ text: rowsAt(725, rows), rules })).toBe(
      '| Shop | What counts |\n| --- | --- |\n| Bakery | Bread and cakes |\n| Kiosk | Papers |',
    );
    expect(await markdownOf({ text: rowsAt(725, rows) })).not.toContain('|');
  });

  it.each([
    [
      'a frame around text',
      [
        [50, 750, 500, 750],
        [50, 600, 500, 600],
        [50, 600, 50, 750],
        [500, 600, 500, 750],
      ],
    ],
    ['no lines', []],
  ] as const)('makes no table of prose, lists and columns with %s', async (_, rules) => {
    const prose = [
      'Every ten minutes the wind is measured',
      'and sent down to the office by radio, where',
      'it is printed.',
    ];
    const text = [
      ...linesAt(60, 730, prose),
      ...linesAt(300, 730, prose),
      ...['One thing', 'Another thing', 'A third one'].flatMap(
        (item, index): Text => [
          [60, 680 - 12 * index, '\x95'],
          [80, 680 - 12 * index, item],
        ],
      ),
    ];
    const markdown = await markdownOf({ text, rules: rules.map(([a, b, c, d]) => [a, b, c, d]) });
    expect(markdown).not.toContain('|');
    expect(markdown).toContain('- One thing\n- Another thing\n- A third one');
  });
});
