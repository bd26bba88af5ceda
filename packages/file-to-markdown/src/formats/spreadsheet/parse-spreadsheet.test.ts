import { type BookType, CFB, utils, type WorkSheet, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { fixture, parseRows } from '../../../test/support/parse.js';
import { parseWith } from '../../../test/support/parse-with.js';
import { zipOf } from '../../../test/support/zip.js';
import { openZipParts } from '../../shared/zip/zip-parts.js';
import { parseSpreadsheet } from './parse-spreadsheet.js';

const parseBytes = (bytes: Buffer) => parseWith(parseSpreadsheet, bytes);

function workbook(
  sheets: Record<string, WorkSheet>,
  bookType: BookType = 'xlsx',
  hidden: Record<string, 1 | 2> = {},
) {
  const SheetNames = Object.keys(sheets);
  const Sheets = SheetNames.map((name) => ({ Hidden: hidden[name] ?? (0 as const) }));
  const Props = { Title: 'Harbour' };
  return write(
    { SheetNames, Sheets: sheets, Workbook: { Sheets }, Props },
    { type: 'buffer', bookType, codepage: 1252 },
  );
}

const fees = () => {
  const sheet = utils.aoa_to_sheet([
    ['Fees', null, null],
    [null, null, null],
    ['Size', null, 'Share', 'From'],
    ['small', null, { t: 'n', v: 0.125, z: '0.0%' }, { t: 'n', v: 46022, z: 'm/d/yy' }],
    [null, null, { t: 'n', v: 1234.5, z: '#,##0.00 "€"' }, { t: 'n', v: 46024, z: 'yyyy-mm-dd' }],
  ]);
  sheet['!merges'] = [
    { s: { r: 0, c: 0 }, e: { r: 0, c: 3 } },
    { s: { r: 3, c: 0 }, e: { r: 4, c: 0 } },
  ];
  return sheet;
};

/** Two cells in the opposite corners of a sheet. */
const far = (parts: Record<string, string> = {}) =>
  zipOf({
    ...parts,
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/a.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Far" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="a.xml"/></Relationships>',
    'xl/a.xml':
      '<worksheet><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row>' +
      '<row r="1048576"><c r="XFD1048576" t="str"><v>z</v></c></row></sheetData></worksheet>',
  });

/** Bars for some years. */
const chart = (years: number) => {
  const points = (of: (index: number) => number) =>
    Array.from({ length: years }, (_, index) => `<c:pt idx="${index}"><c:v>${of(index)}</c:v></c:pt>`).join(
      '',
    );
  const name = (text: string) => `<c:tx><c:strRef><c:v>${text}</c:v></c:strRef></c:tx>`;
  const series = `<c:ser>${name('Arrivals')}<c:cat>${points((index) => 2001 + index)}</c:cat><c:val>${points((index) => 5 * index)}</c:val></c:ser>`;
  const title = '<c:title><a:p><a:r><a:t>Ships</a:t></a:r></a:p></c:title>';
  return `<c:chartSpace><c:chart>${title}<c:plotArea><c:barChart>${series}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;
};

/** The same with a drawing over it. */
const drawn = () => {
  const relations = (...targets: [type: string, target: string][]) =>
    `<Relationships>${targets.map(([type, target]) => `<Relationship Id="${type}" Type="x/${type}" Target="${target}"/>`).join('')}</Relationships>`;
  const paragraph = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const shape = `<xdr:sp><xdr:txBody><a:p><a:r><a:t>Moor </a:t></a:r><a:r><a:t>here</a:t></a:r></a:p>${paragraph('Second line')}</xdr:txBody></xdr:sp>`;
  const older = `<mc:AlternateContent><mc:Choice>${shape}</mc:Choice><mc:Fallback>${shape}</mc:Fallback></mc:AlternateContent>`;
  return far({
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/_rels/a.xml.rels': relations(['drawing', 'drawings/d.xml'], ['comments', 'c.xml']),
    'xl/drawings/d.xml': `<xdr:wsDr>${older}</xdr:wsDr>`,
    'xl/drawings/_rels/d.xml.rels': relations(
      ['chart', '../chart.xml'],
      ['diagramData', '../data.xml'],
      ['image', 'i.png'],
    ),
    'xl/chart.xml': chart(2),
    'xl/data.xml': `<dgm:dataModel>${paragraph('Arrive')}</dgm:dataModel>`,
  });
};

async function partsOf(bytes: Buffer): Promise<Record<string, Buffer>> {
  const parts = await openZipParts(bytes);
  const contents = await Promise.all(parts.names.map(async (name) => [name, await parts.bytes(name)]));
  return Object.fromEntries(contents);
}

/** An old workbook of a single sheet, with more records in that. */
function withRecords(bytes: Buffer, ...added: [type: number, content: Buffer][]): Buffer {
  const container = CFB.read(bytes, { type: 'buffer' });
  const stream = Buffer.from(CFB.find(container, 'Workbook')?.content ?? []);
  const records = added.map(([type, content]) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(content.length, 2);
    return Buffer.concat([head, content]);
  });
  const end = stream.lastIndexOf('0a000000', 'hex');
  CFB.utils.cfb_add(
    container,
    '/Workbook',
    Buffer.concat([stream.subarray(0, end), ...records, stream.subarray(end)]),
  );
  return CFB.write(container, { type: 'buffer' }) as Buffer;
}

describe('spreadsheets', () => {
  it('makes each sheet a page', async () => {
    const table =
      '| Team | Location | Stanley Cups |\n| --- | --- | --- |\n| Blues | STL | 1 |\n| Flyers | PHI | 2 |';
    expect(await parseBytes(await fixture('stanley-cups.xlsx'))).toEqual({
      pages: [
        { number: 1, markdown: `## Stanley Cups\n\nStanley Cups\n\n${table}\n| Maple Leafs | TOR | 13 |` },
        {
          number: 2,
          markdown: `## Stanley Cups Since 67\n\nStanley Cups Since 67\n\n${table}\n| Maple Leafs | TOR | 0 |`,
        },
      ],
    });
  });

  it.each(['xlsx', 'biff8'] as const)('shows values as they are displayed, from %s', async (bookType) => {
    const bytes = workbook({ Hidden: fees(), 港口费: fees() }, bookType, { Hidden: 2 });
    expect(await parseBytes(bytes)).toEqual({
      title: 'Harbour',
      pages: [
        {
          number: 2,
          markdown:
            '## 港口费\n\nFees\n\n| Size | Share | From |\n| --- | --- | --- |\n' +
            '| small | 12.5% | 2025-12-31 |\n| small | 1,234.50 € | 2026-01-02 |',
        },
      ],
    });
  });

  it.each(['xlsx', 'biff8'] as const)('says which sheets are hidden, in %s', async (bookType) => {
    const rates = utils.aoa_to_sheet([
      ['Rate', 'From'],
      ['EUR', '2026'],
    ]);
    const bytes = workbook({ Rates: rates, 'Of a program': rates }, bookType, {
      Rates: 1,
      'Of a program': 2,
    });
    expect((await parseBytes(bytes)).pages).toEqual([
      { number: 1, markdown: '## Rates (hidden sheet)\n\n| Rate | From |\n| --- | --- |\n| EUR | 2026 |' },
    ]);
  });

  it('tells which row of which sheet each line shows', async () => {
    const notes = utils.aoa_to_sheet([[null], ['First note'], [null], ['Second\nnote']]);
    const bytes = workbook({ Hidden: fees(), 港口费: fees(), Notes: notes }, 'xlsx', { Hidden: 2 });
    expect(await parseRows(bytes)).toEqual([
      ['港口费', 1, 'Fees'],
      ['港口费', 3, '| Size | Share | From |'],
      ['港口费', 4, '| small | 12.5% | 2025-12-31 |'],
      ['港口费', 5, '| small | 1,234.50 € | 2026-01-02 |'],
      ['Notes', 2, 'First note'],
      ['Notes', 4, 'Second'],
      ['Notes', 4, 'note'],
    ]);
  });

  it('reads the code page of a workbook from before 1997', async () => {
    const bytes = workbook({ Fees: utils.aoa_to_sheet([['name', 'ABCD']]) }, 'biff5');
    // The library writes no such text; these are the two characters, and the record that names the code page.
    Buffer.from('b8dbbfda', 'hex').copy(bytes, bytes.indexOf('ABCD'));
    bytes.writeUInt16LE(936, bytes.indexOf('42000200', 0, 'hex') + 4);
    expect((await parseBytes(bytes)).pages[0]?.markdown).toContain('| name | 港口 |');
  });

  it('reads a workbook as XML, also with properties of unknown types', async () => {
    const xml = workbook(
      {
        Fees: utils.aoa_to_sheet([
          ['Size', 'Fee'],
          ['small', 12.5],
        ]),
      },
      'xlml',
    ).toString();
    const properties =
      '<CustomDocumentProperties xmlns="urn:schemas-microsoft-com:office:office"><Berths dt:dt="integer">7</Berths></CustomDocumentProperties>';
    const bytes = Buffer.from(xml.replace('<Worksheet ', `${properties}<Worksheet `));
    expect((await parseBytes(bytes)).pages).toEqual([
      { number: 1, markdown: '## Fees\n\n| Size | Fee |\n| --- | --- |\n| small | 12.5 |' },
    ]);
  });

  it('repeats the header over each group of rows', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => [index, 'x'.repeat(20)]);
    const { pages } = await parseBytes(workbook({ Long: utils.aoa_to_sheet([['id', 'value'], ...rows]) }));
    const [heading, ...groups] = pages[0]?.markdown.split('\n\n') ?? [];
    expect(heading).toBe('## Long');
    expect(groups.length).toBeGreaterThan(3);
    for (const group of groups) expect(group).toMatch(/^\| id \| value \|\n\| --- \| --- \|\n\| \d/);
  });

  it('takes a single column for text', async () => {
    const { pages } = await parseBytes(workbook({ Notes: utils.aoa_to_sheet([['One.'], ['Two.']]) }));
    expect(pages).toEqual([{ number: 1, markdown: '## Notes\n\nOne.\n\nTwo.' }]);
  });

  it('goes by the cells that there are, not by the range that is declared', async () => {
    const { pages } = await parseBytes(far());
    expect(pages).toEqual([{ number: 1, markdown: '## Far\n\na\n\nz' }]);
  });

  const markdownOf = async (rows: unknown[][]) => {
    const { pages } = await parseBytes(workbook({ S: utils.aoa_to_sheet(rows) }));
    return pages.map(({ markdown }) => markdown);
  };

  it('gives each of several tables its own header', async () => {
    const rows = [
      ['Money'],
      ['Topic', null, 'Page'],
      ['Revenue', null, 1],
      [],
      ['Customers'],
      [],
      ['Topic', null, 'Page'],
      ['Mobile', null, 2],
      [],
      ['Rate', 'From'],
      ['EUR', 0.5],
      [],
      ['Unaudited.'],
    ];
    const table = (...lines: string[]) => [lines[0], '| --- | --- |', ...lines.slice(1)].join('\n');
    expect(await markdownOf(rows)).toEqual([
      [
        '## S\n\nMoney',
        table('| Topic | Page |', '| Revenue | 1 |'),
        'Customers',
        table('| Topic | Page |', '| Mobile | 2 |'),
        table('| Rate | From |', '| EUR | 0.5 |'),
        'Unaudited.',
      ].join('\n\n'),
    ]);
  });

  const mergedMarkdownOf = async (rows: unknown[][], ...merged: string[]) => {
    const sheet = utils.aoa_to_sheet(rows);
    sheet['!merges'] = merged.map((range) => utils.decode_range(range));
    const { pages } = await parseBytes(workbook({ S: sheet }));
    return pages[0]?.markdown.replace('## S\n\n', '');
  };

  it('gives each row its category, and each column the headings that are merged over it', async () => {
    const rows = [
      ['Fees of the harbour'],
      ['Size', null, 'Ship', 2025, null, 2026, null],
      [null, null, null, 'Day', 'Month', 'Day', 'Month'],
      ['small', null, 'Ada', 5, 90, 6, 95],
      [null, null, 'Eva', 5, 91, 6, 96],
      ['Closed in winter'],
    ];
    expect(await mergedMarkdownOf(rows, 'A1:G1', 'A2:B3', 'C2:C3', 'D2:E2', 'F2:G2', 'A4:B5', 'A6:G6')).toBe(
      'Fees of the harbour\n\n| Size | Ship | 2025 Day | 2025 Month | 2026 Day | 2026 Month |\n' +
        '| --- | --- | --- | --- | --- | --- |\n| small | Ada | 5 | 90 | 6 | 95 |\n| small | Eva | 5 | 91 | 6 | 96 |\n' +
        '| Closed in winter |  |  |  |  |  |',
    );
  });

  it('takes no row of a table for one of its header', async () => {
    const rows = [
      ['Size', 'Fee', null],
      ['small', 5, 'euro'],
      ['large', 9, 'euro'],
    ];
    const texts = [
      ['Contact', null, 'Town'],
      ['Ada', 'ada@x.test', 'Oslo'],
      ['Eva', 'eva@x.test', 'Rome'],
      ['Ida', 'no', 'Faro'],
    ];
    expect([await mergedMarkdownOf(rows, 'B1:C1'), await mergedMarkdownOf(texts, 'A1:B1')]).toEqual([
      '| Size | Fee |  |\n| --- | --- | --- |\n| small | 5 | euro |\n| large | 9 | euro |',
      '| Contact |  | Town |\n| --- | --- | --- |\n| Ada | ada@x.test | Oslo |\n| Eva | eva@x.test | Rome |\n| Ida | no | Faro |',
    ]);
  });

  it('keeps a table together that has blank rows in it', async () => {
    const rows = [
      ['Ship', 'Tons', 'Flag'],
      [],
      ['North'],
      ['Ada', 5, 'NO'],
      ['Eva', 6],
      [],
      ['South'],
      ['Ida', 7, 'PT'],
    ];
    const text = [
      ['Name', 'Town'],
      [],
      ['Ada', 'Oslo'],
      ['Eva', 'Rome'],
      [],
      ['Ida', 'Faro'],
      ['Ute', 'Köln'],
    ];
    expect([await markdownOf(rows), await markdownOf(text)]).toEqual([
      [
        '## S\n\n| Ship | Tons | Flag |\n| --- | --- | --- |\n| North |  |  |\n| Ada | 5 | NO |\n| Eva | 6 |  |\n' +
          '| South |  |  |\n| Ida | 7 | PT |',
      ],
      [
        '## S\n\n| Name | Town |\n| --- | --- |\n| Ada | Oslo |\n| Eva | Rome |\n| Ida | Faro |\n| Ute | Köln |',
      ],
    ]);
  });

  it('adds the texts of shapes and diagrams, and the figures of charts', async () => {
    const { pages } = await parseBytes(drawn());
    const table = '|  | Arrivals |\n| --- | --- |\n| 2001 | 0 |\n| 2002 | 5 |';
    expect(pages).toEqual([
      { number: 1, markdown: `## Far\n\na\n\nz\n\nMoor here\n\nSecond line\n\nShips\n\n${table}\n\nArrive` },
    ]);
  });

  it('names the series of a chart with many points, whose figures stand in cells', async () => {
    const bytes = zipOf({ ...(await partsOf(drawn())), 'xl/chart.xml': chart(100) });
    const { pages } = await parseBytes(bytes);
    expect(pages[0]?.markdown).toBe(
      '## Far\n\na\n\nz\n\nMoor here\n\nSecond line\n\nShips\n\nArrivals\n\nArrive',
    );
  });

  it('reports sheets that hold pictures only', async () => {
    const empty = '<worksheet><sheetData/></worksheet>';
    const bytes = zipOf({
      ...(await partsOf(drawn())),
      'xl/a.xml': empty,
      'xl/drawings/d.xml': '<xdr:wsDr/>',
      'xl/chart.xml': '<c/>',
      'xl/data.xml': '<d/>',
    });
    const lost: unknown[] = [];
    await parseWith(parseSpreadsheet, bytes, { warn: (code, where) => lost.push([code, where]) });
    expect(lost).toEqual([['pages_without_text', { page: 1 }]]);
  });

  it('adds the texts of shapes in an old workbook, but no comments', async () => {
    const object = (kind: number): [number, Buffer] => [0x5d, Buffer.from([0x15, 0, 0x12, 0, kind, 0, 1, 0])];
    const text = (length: number): [number, Buffer] => [0x1b6, Buffer.alloc(18).fill(length, 10, 11)];
    const part = (...bytes: Buffer[]): [number, Buffer] => [0x3c, Buffer.concat(bytes)];
    const latin = Buffer.from([0]);
    const wide = Buffer.from([1]);
    const formats = part(Buffer.alloc(16));
    const bytes = withRecords(
      workbook({ Berths: utils.aoa_to_sheet([['a', 'b']]) }, 'biff8'),
      object(0x19),
      text(7),
      part(latin, Buffer.from('Comment')),
      formats,
      ...[
        object(6),
        text(12),
        part(latin, Buffer.from('Moor here\n')),
        part(wide, Buffer.from('港口', 'utf16le')),
        formats,
      ],
    );
    expect((await parseBytes(bytes)).pages[0]?.markdown).toMatch(
      /\| a \| b \|\n\| --- \| --- \|\n\nMoor here\n\n港口$/,
    );
  });

  it('gives no page for an empty workbook', async () => {
    expect(await parseBytes(await fixture('empty.xlsx'))).toEqual({ pages: [] });
  });

  it('refuses a password', async () => {
    await expect(parseBytes(await fixture('encrypted.xlsx'))).rejects.toMatchObject({ code: 'encrypted' });
  });

  it('refuses what is cut off', async () => {
    const xlsx = await fixture('stanley-cups.xlsx');
    await expect(parseBytes(xlsx.subarray(0, 4000))).rejects.toMatchObject({ code: 'corrupt' });
    const xls = workbook({ Fees: fees() }, 'biff8').subarray(0, 700);
    await expect(parseBytes(xls)).rejects.toMatchObject({ code: 'corrupt' });
  });
});
