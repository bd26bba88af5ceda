import { BY_MAGIC } from './detect/detect-type.js';
import { BY_EXTENSION, BY_MEDIA_TYPE, MEDIA_TYPES } from './detect/type-by-hint.js';
import { MAX_RECORD_BYTES } from './formats/csv/parse-csv.js';
import { MAX_CHARACTERS } from './formats/html/parse-html.js';
import { MAX_BYTES as MAX_JSON_BYTES } from './formats/json/parse-json.js';
import { MAX_LINE } from './formats/json/parse-ndjson.js';
import { MAX_COUNT, MAX_TOTAL_BYTES } from './formats/mail/attachments.js';
import { MAX_MESSAGE } from './formats/mail/split-mailbox.js';
import { MAX_BYTES as MAX_WORKBOOK_BYTES } from './formats/spreadsheet/workbook-zip.js';
import type { SubType } from './types.js';

export { MAX_DEPTH } from './parse.js';

/** For documentation: what a format is, and what is read of it. */
export interface Format {
  subType: SubType;
  name: string;
  extensions: string[];
  mediaTypes: string[];
  readAs: string;
  limits: string;
}

const mib = (bytes: number) => `${bytes / 2 ** 20} MiB`;
const rows = 'Tables; the header is repeated in every part.';
const sheets = `${rows} Each row and column has the merged cells that it is about. Hidden sheets are marked.`;
const recognized = 'By text recognition, where an extraction engine is configured.';
const pictures = 'An extraction engine can read larger pictures.';
const record = `${mib(MAX_RECORD_BYTES)} for each row`;
const attachments = `${MAX_COUNT} attachments of ${mib(MAX_TOTAL_BYTES)} together`;
const workbook = `${mib(MAX_WORKBOOK_BYTES)} unpacked`;

const about: Record<SubType, [name: string, readAs: string, limits?: string]> = {
  pdf: [
    'PDF',
    'Pages in reading order, also from right to left: headings, tables, form fields with check boxes. Running headers and footers are left out. An extraction engine can read pages without text, with tables or with unknown characters.',
  ],
  docx: [
    'Word',
    `Headings, numbered lists, tables, footnotes, comments, text boxes, charts, check boxes, formulas. ${pictures}`,
  ],
  doc: ['Word 97 to 2003', 'Headings, lists, tables, footnotes, text boxes.'],
  odt: [
    'OpenDocument Text',
    'Headings, lists, tables, footnotes, check boxes, formulas. Comments are left out.',
  ],
  rtf: ['Rich Text Format', 'Headings, lists, tables, footnotes.'],
  pptx: [
    'PowerPoint',
    `A page for each slide, with tables, charts, diagrams, notes and comments. Hidden slides are marked. ${pictures}`,
  ],
  xlsx: ['Excel', `${sheets} Comments on cells and figures of charts.`, workbook],
  xls: ['Excel 2 to 2003', `${sheets} Comments and charts are left out.`],
  epub: ['EPUB', `A page for each chapter, in the order of the book. ${pictures}`],
  eml: [
    'Mail and mailbox',
    'Header, text, and attachments that can be read.',
    `${attachments}; ${mib(MAX_MESSAGE)} for each mail of a mailbox`,
  ],
  msg: ['Outlook mail', 'Header, text, and attachments that can be read.', attachments],
  html: [
    'Web page',
    `The main content with tables, lists and check boxes, without navigation and advertisements. An extraction engine can read larger pictures that are in the page itself.`,
    `${MAX_CHARACTERS.toLocaleString('en')} characters`,
  ],
  md: ['Markdown', 'As it is.'],
  csv: ['CSV', rows, record],
  tsv: ['TSV', rows, record],
  json: ['JSON', 'Records as tables or lists.', mib(MAX_JSON_BYTES)],
  ndjson: ['NDJSON', 'Records as tables or lists.', `${mib(MAX_LINE)} for each line`],
  xml: ['XML', 'Records, feeds and prose, as tables, lists or paragraphs.'],
  yaml: ['YAML', 'As it is.'],
  txt: ['Plain text', 'As it is, in any common encoding, UTF-16 and UTF-32 included.'],
  png: ['PNG', recognized],
  jpeg: ['JPEG', recognized],
  webp: ['WebP', recognized],
  tiff: ['TIFF', `${recognized} All pages of the file.`],
  heic: ['HEIC', recognized],
};

/** Every format that can be read, from the tables by which files are told apart. */
export const listFormats = (): Format[] =>
  (Object.keys(about) as SubType[]).map((subType) => {
    const [name, readAs, limits = ''] = about[subType];
    const named = (table: Record<string, SubType>) =>
      Object.keys(table).filter((key) => table[key] === subType);
    return {
      subType,
      name,
      extensions: [...new Set([subType, ...named(BY_MAGIC), ...named(BY_EXTENSION)])],
      mediaTypes: [...new Set([MEDIA_TYPES[subType], ...named(BY_MEDIA_TYPE)])],
      readAs,
      limits,
    };
  });
