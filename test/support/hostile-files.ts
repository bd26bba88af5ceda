import { zipOf } from '../../packages/file-to-markdown/test/support/zip.js';

/* Files of some kilobytes that claim to hold far more. */

const times = (count: number, text: string) => text.repeat(count);
const words = (length: number) =>
  'The harbour master counts the ships. '.repeat(length / 37 + 1).slice(0, length);
const mainSpace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const cell = '<c t="s"><v>0</v></c>';

interface Workbook {
  cells?: string;
  behindCells?: string;
  text?: string;
  format?: string;
  /** How many sheets the one there is stands for. */
  sheets?: number;
  drawings?: number;
}

/** A workbook of one sheet and one text, with the parts that programs write. */
function workbook({
  cells = `<row>${cell}</row>`,
  behindCells = '',
  text = 'Ships',
  format = '0',
  sheets = 1,
  drawings = 0,
}: Workbook): Buffer {
  const of = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join('');
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const relations = (all: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all}</Relationships>`;
  return zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      ['workbook.xml=sheet.main', 'sheet.xml=worksheet', 'strings.xml=sharedStrings', 'styles.xml=styles']
        .map((one) => one.split('='))
        .map(
          ([name, type]) =>
            `<Override PartName="/xl/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`,
        )
        .join('') +
      '</Types>',
    '_rels/.rels': relations(relation('r', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook ${mainSpace} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${of(sheets, (i) => `<sheet name="S${i}" sheetId="${i + 1}" r:id="sheet"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('sheet', 'worksheet', 'sheet.xml') +
        relation('strings', 'sharedStrings', 'strings.xml') +
        relation('styles', 'styles', 'styles.xml'),
    ),
    'xl/sheet.xml': `<worksheet ${mainSpace}><sheetData>${cells}</sheetData>${behindCells}</worksheet>`,
    'xl/_rels/sheet.xml.rels': relations(of(drawings, (i) => relation(`d${i}`, 'drawing', 'drawing.xml'))),
    'xl/drawing.xml': `<wsDr>${times(drawings && 20_000, '<a:p><a:r><a:t>Ships</a:t></a:r></a:p>')}</wsDr>`,
    'xl/strings.xml': `<sst ${mainSpace}><si><t>${text}</t></si></sst>`,
    'xl/styles.xml': `<styleSheet ${mainSpace}><numFmts><numFmt numFmtId="200" formatCode="${format}"/></numFmts><cellXfs><xf/><xf numFmtId="200" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  });
}

const odt = (body: string) =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  });
const odtCell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const odtRow = (cells: string, attributes = '') =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`;
const repeated = (what: 'rows' | 'columns') => `table:number-${what}-repeated="1000000"`;
const mail = (body: string) => `From: a@example.test\nTo: b@example.test\nSubject: Ships\n${body}`;

export interface HostileFile {
  name: string;
  make: () => Buffer | string;
}

export const hostileFiles = {
  'a workbook with a text in each of a million cells': {
    name: 'a.xlsx',
    make: () => workbook({ cells: times(1_000, `<row>${times(100, cell)}</row>`), text: words(100_000) }),
  },
  'a workbook with a link over all cells of a sheet': {
    name: 'a.xlsx',
    make: () =>
      workbook({ behindCells: '<hyperlinks><hyperlink ref="A1:XFD1048576" location="x"/></hyperlinks>' }),
  },
  'a workbook with a number format of 24,000 characters': {
    name: 'a.xlsx',
    make: () =>
      workbook({
        cells: times(3_000, '<row><c s="1"><v>46022.3</v></c></row>'),
        format: times(3_000, '0.0_)#?/'),
      }),
  },
  'a workbook whose sheet is there ten thousand times': {
    name: 'a.xlsx',
    make: () => workbook({ cells: times(2_000, `<row>${cell}</row>`), sheets: 10_000 }),
  },
  'a workbook with a drawing ten thousand times': {
    name: 'a.xlsx',
    make: () => workbook({ drawings: 10_000 }),
  },
  'a text with a table of a million repeated rows and columns': {
    name: 'a.odt',
    make: () =>
      odt(
        `<table:table>${times(200, odtRow(odtCell(words(1_000), repeated('columns')) + odtCell('b'), repeated('rows')))}</table:table>`,
      ),
  },
  'a text with a long table header on each of its pages': {
    name: 'a.odt',
    make: () =>
      odt(
        `<table:table>${odtRow(odtCell(words(50_000)) + odtCell('b'))}${times(5_000, `<text:soft-page-break/>${odtRow(odtCell('a') + odtCell('b'))}`)}</table:table>`,
      ),
  },
  'a text with fewer blanks than none': {
    name: 'a.odt',
    make: () => odt('<text:h text:outline-level="-3">Ships<text:s text:c="-5"/>leave</text:h>'),
  },
  'rich text with rows of one cell below one of eighteen thousand': {
    name: 'a.rtf',
    make: () =>
      `{\\rtf1 \\trowd\\intbl a${times(18_000, '\\cell ')}\\row${times(4_000, '\\trowd\\intbl a\\cell\\row ')}\\pard\\par}`,
  },
  'rows under a column name of 100,000 characters': {
    name: 'a.csv',
    make: () => `${words(100_000)},b\n${times(5_000, 'a,b\n')}`,
  },
  'ten thousand sections under a long heading': {
    name: 'a.md',
    make: () => `# ${words(100_000)}\n\n${times(10_000, 'a\n\n## b\n\n')}`,
  },
  'an object under a key of 90,000 characters': {
    name: 'a.json',
    make: () =>
      `{"${times(90_000, 'k')}":{${Array.from({ length: 9_000 }, (_, i) => `"${i}":1`).join(',')}}}`,
  },
  'objects in objects under long keys': {
    name: 'a.json',
    make: () =>
      `${times(60, `{"${times(1_500, 'k')}":`)}{${Array.from({ length: 9_000 }, (_, i) => `"${i}":1`).join(',')}}${times(60, '}')}`,
  },
  'lists in lists': { name: 'a.json', make: () => `${times(95_000, '[')}1${times(95_000, ']')}` },
  'entities of entities': {
    name: 'a.xml',
    make: () =>
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghij'].map((name, i) => `<!ENTITY ${name} "${times(10, `&${'abcdefghi'[i]};`)}">`).join('')}]><a><p>&j; Ships leave.</p></a>`,
  },
  'groups in groups': { name: 'a.rtf', make: () => `{\\rtf1 ${times(190_000, '{')}` },
  'aliases of aliases': {
    name: 'a.yaml',
    make: () =>
      `a: &a [${times(9, '"ships",')}]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${times(9, `*${'abcdefgh'[i]},`)}]\n`).join('')}`,
  },
  'mail in mail': {
    name: 'a.eml',
    make: () => times(250, mail('Content-Type: message/rfc822\n\n')) + mail('\nHello'),
  },
} satisfies Record<string, HostileFile>;
