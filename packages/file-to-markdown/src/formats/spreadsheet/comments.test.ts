import { describe, expect, it } from 'vitest';
import { parseRows } from '../../../test/support/parse.js';
import { parseWith } from '../../../test/support/parse-with.js';
import { damaged, zipOf } from '../../../test/support/zip.js';
import { TextBudget } from '../../text-budget.js';
import type { ParseInput } from '../../types.js';
import { parseSpreadsheet } from './parse-spreadsheet.js';

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = (...all: [id: string, type: string, target: string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
const row = (number: number, ...texts: string[]) =>
  `<row r="${number}">${texts.map((text, column) => `<c r="${'AB'[column]}${number}" t="str"><v>${text}</v></c>`).join('')}</row>`;
const note = (cell: string, author: number, ...runs: string[]) =>
  `<comment ref="${cell}" authorId="${author}"><text>${runs.map((text) => `<r><t>${text}</t></r>`).join('')}</text></comment>`;
const notes = (...all: string[]) =>
  `<comments><authors><author>Ada Byron</author><author>tc={1}</author></authors><commentList>${all.join('')}</commentList></comments>`;
const thread = (cell: string, person: string, text: string) =>
  `<threadedComment ref="${cell}" personId="${person}" id="{1}"><text>${text}</text></threadedComment>`;
const WRITTEN = notes(
  note('B6', 0, 'Much.'),
  note('B2', 0, 'Ada Byron:', '\nSince when?'),
  note('A3', 1, '[Threaded comment] Your version cannot show it. Comment: Per day?'),
  note('D9', 0, 'Behind.'),
  note('?', 0, 'Nowhere.'),
);
const PARTS = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/a.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': relations(['r0', 'officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml':
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Fees" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations(
    ['r1', 'worksheet', 'a.xml'],
    ['r2', 'person', 'persons/person.xml'],
  ),
  'xl/a.xml': `<worksheet><sheetData>${row(1, 'Size', 'Fee')}${row(2, 'small', '5')}${row(3, 'large', '9')}${row(5, 'Ship', 'Tons')}${row(6, 'Ada', '70')}</sheetData></worksheet>`,
  'xl/_rels/a.xml.rels': relations(
    ['r1', 'comments', 'comments1.xml'],
    ['r2', 'threadedComment', 'threadedComments/threadedComment1.xml'],
  ),
  'xl/comments1.xml': WRITTEN,
  'xl/threadedComments/threadedComment1.xml': `<ThreadedComments>${thread('A3', '{E}', 'Per day?')}${thread('A3', '{X}', 'Yes.')}</ThreadedComments>`,
  'xl/persons/person.xml': '<personList><person displayName="Eva" id="{E}"/></personList>',
};
const FEES = '## Fees\n\n| Size | Fee |\n| --- | --- |\n| small | 5 |\n| large | 9 |';
const SHIPS = '| Ship | Tons |\n| --- | --- |\n| Ada | 70 |';

const markdownOf = async (bytes: Buffer, hints: Partial<ParseInput> = {}) =>
  (await parseWith(parseSpreadsheet, bytes, hints)).pages.map(({ markdown }) => markdown).join('\n\n');

describe('comments on cells', () => {
  it('come behind the table, in the order of its cells', async () => {
    expect(await markdownOf(zipOf(PARTS))).toBe(
      `${FEES}\n\n[Comment by Ada Byron on B2 (5): Since when?]\n\n[Comment by Eva on A3 (large): Per day?]\n\n` +
        `[Comment on A3 (large): Yes.]\n\n${SHIPS}\n\n[Comment by Ada Byron on B6 (70): Much.]\n\n` +
        '[Comment by Ada Byron on D9: Behind.]',
    );
  });

  it('show the row of their cell', async () => {
    const rows = await parseRows(zipOf(PARTS));
    expect(rows.slice(3, 5)).toEqual([
      ['Fees', 2, '[Comment by Ada Byron on B2 (5): Since when?]'],
      ['Fees', 3, '[Comment by Eva on A3 (large): Per day?]'],
    ]);
  });

  it('are left out on demand', async () => {
    expect(await markdownOf(zipOf(PARTS), { comments: false })).toBe(`${FEES}\n\n${SHIPS}`);
  });

  it('are all that a sheet has, where its cells are empty', async () => {
    const bytes = zipOf({ ...PARTS, 'xl/a.xml': '<worksheet><sheetData/></worksheet>' });
    expect((await markdownOf(bytes)).split('\n\n').slice(0, 2)).toEqual([
      '## Fees',
      '[Comment by Ada Byron on B2: Since when?]',
    ]);
  });

  it('cost nothing else where their parts are damaged', async () => {
    const warnings: unknown[] = [];
    const parts = zipOf({
      ...PARTS,
      'xl/persons/person.xml': 'gone',
      'xl/threadedComments/threadedComment1.xml': '',
    });
    const hints: Partial<ParseInput> = { warn: (...warning) => warnings.push(warning) };
    expect(await markdownOf(damaged(parts, 'xl/comments1.xml'), hints)).toBe(`${FEES}\n\n${SHIPS}`);
    expect(warnings).toEqual([
      ['unreadable_parts', { name: 'xl/persons/person.xml' }],
      ['unreadable_parts', { name: 'xl/comments1.xml' }],
      ['unreadable_parts', { name: 'xl/threadedComments/threadedComment1.xml' }],
    ]);
  });

  it('are kept as older programs show them, where a thread is damaged', async () => {
    const bytes = zipOf({ ...PARTS, 'xl/threadedComments/threadedComment1.xml': 'gone' });
    expect(await markdownOf(bytes)).toContain(
      '[Comment on A3 (large): [Threaded comment] Your version cannot show it. Comment: Per day?]',
    );
  });

  it('are no more than the budget allows', async () => {
    const textBudget = new TextBudget(10_000);
    const bytes = zipOf({ ...PARTS, 'xl/comments1.xml': notes(note('A1', 0, 'n'.repeat(20_000))) });
    await expect(markdownOf(bytes, { textBudget })).rejects.toMatchObject({ code: 'too_much_text' });
  });
});
