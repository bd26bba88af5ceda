import { CFB } from '@e965/xlsx';
import { ParseError } from '../../errors.js';
import { relationshipsPart } from '../../shared/xml/office-relationships.js';
import { isCommentsPart } from '../../shared/zip/is-comments-part.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';

/** What the reader of cells looks at. */
const READ = /\.(?:xml|rels|bin)$/i;
/** These it would only unpack; or they make it take the file for a workbook of another program. */
const UNREAD =
  /^(?:xl\/(?:media|drawings|charts|pivotCache|pivotTables|embeddings|printerSettings)|META-INF|index|objectdata\.xml)/i;
/** Of all parts together: a part may be named twice. */
export const MAX_BYTES = 200 * 2 ** 20;
/** Behind the cells. The reader makes a cell of each one that a link covers, which may be all of a sheet. */
const LINK = /<(?:\w*:)?hyperlink(?=\s)/g;
const END_OF_CELLS = 'sheetData>';
/** Excel takes 255 characters, which XML may write as entities. */
const LONG_FORMAT = /formatCode=(?:"[^"]{1500,}"|'[^']{1500,}')/g;

/** Without these the reader finds no workbook; other programs go by the names. */
const TYPES = '[Content_Types].xml';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const USUAL_TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`;

/** A workbook with the parts that its cells are read from, without what takes the reader of cells far longer than they do. */
export async function zipOfCells(parts: ZipParts, sheets: readonly (string | undefined)[]): Promise<Buffer> {
  const container = CFB.utils.cfb_new();
  if (!parts.has(TYPES)) CFB.utils.cfb_add(container, TYPES, Buffer.from(USUAL_TYPES), { unsafe: true });
  let total = 0;
  // What a sheet refers to is not in its cells.
  const unread = new Set(sheets.map((path = '') => relationshipsPart(path).toLowerCase()));
  const isRead = (name: string) =>
    READ.test(name) && !UNREAD.test(name) && !isCommentsPart(name) && !unread.has(name.toLowerCase());
  for (const name of parts.names.filter(isRead)) {
    const content = (await parts.bytes(name)) ?? Buffer.alloc(0);
    total += content.length;
    if (total > MAX_BYTES) throw tooLarge();
    CFB.utils.cfb_add(container, name, withShortFormats(withoutLinks(content)), { unsafe: true });
  }
  return CFB.write(container, { fileType: 'zip', type: 'buffer' });
}

function withoutLinks(part: Buffer): Buffer {
  const end = part.lastIndexOf(END_OF_CELLS);
  if (end < 0 || !part.includes('hyperlink', end)) return part;
  const rest = part.toString('latin1', end).replace(LINK, '<unread');
  return Buffer.concat([part.subarray(0, end), Buffer.from(rest, 'latin1')]);
}

function withShortFormats(part: Buffer): Buffer {
  if (!part.subarray(0, 4096).includes('styleSheet')) return part;
  return Buffer.from(part.toString('latin1').replace(LONG_FORMAT, 'formatCode="General"'), 'latin1');
}

function tooLarge(): ParseError {
  const message = 'The workbook unpacks to more than can be processed; split it into smaller ones.';
  return new ParseError('too_large', message);
}
