import { zipOf } from '../../packages/file-to-markdown/test/support/zip.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** An XLSX workbook that keeps one text, and shows it in every cell. */
export function workbookOf(text: string, { rows, columns }: { rows: number; columns: number }) {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(columns)}</row>`;
  return new Uint8Array(
    zipOf({
      '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/sheet.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/strings.xml" ContentType="${TYPE}.sharedStrings+xml"/></Types>`,
      '_rels/.rels': relations({ officeDocument: 'xl/workbook.xml' }),
      'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Sheet" sheetId="1" r:id="worksheet"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations({ worksheet: 'sheet.xml', sharedStrings: 'strings.xml' }),
      'xl/sheet.xml': `<worksheet xmlns="${MAIN}"><sheetData>${row.repeat(rows)}</sheetData></worksheet>`,
      'xl/strings.xml': `<sst xmlns="${MAIN}"><si><t>${text}</t></si></sst>`,
    }),
  );
}

function relations(targets: Record<string, string>): string {
  const all = Object.entries(targets).map(
    ([type, target]) => `<Relationship Id="${type}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${RELATIONS}">${all.join('')}</Relationships>`;
}
