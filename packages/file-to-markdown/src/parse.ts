import { detectType, ENCRYPTED_OFFICE } from './detect/detect-type.js';
import { ParseError } from './errors.js';
import { withKnownErrors } from './recognize-errors.js';
import { cleanText } from './shared/text/normalize-text.js';
import { sourceFromBuffer } from './source-bytes.js';
import type {
  EmbeddedFileHints,
  ParsedDocument,
  ParsedPage,
  ParseInput,
  Parser,
  ParserResult,
  SubType,
  Warn,
  WarningPlace,
} from './types.js';

export type { ParsedDocument, ParsedPage, ParseInput } from './types.js';

/** One parser for each family of formats, loaded when it is needed. */
const PARSERS: Record<SubType, () => Promise<Parser>> = {
  pdf: async () => (await import('./formats/pdf/parse-pdf.js')).parsePdf,
  docx: async () => (await import('./formats/docx/parse-docx.js')).parseDocx,
  doc: async () => (await import('./formats/doc/parse-doc.js')).parseDoc,
  odt: async () => (await import('./formats/odt/parse-odt.js')).parseOdt,
  rtf: async () => (await import('./formats/rtf/parse-rtf.js')).parseRtf,
  pptx: async () => (await import('./formats/pptx/parse-pptx.js')).parsePptx,
  xlsx: async () => (await import('./formats/spreadsheet/parse-spreadsheet.js')).parseSpreadsheet,
  xls: async () => (await import('./formats/spreadsheet/parse-spreadsheet.js')).parseSpreadsheet,
  epub: async () => (await import('./formats/epub/parse-epub.js')).parseEpub,
  eml: async () => (await import('./formats/mail/parse-eml.js')).parseEml,
  msg: async () => (await import('./formats/mail/parse-msg.js')).parseMsg,
  html: async () => (await import('./formats/html/parse-html.js')).parseHtml,
  md: async () => (await import('./formats/text/parse-text.js')).parseMarkdown,
  csv: async () => (await import('./formats/csv/parse-csv.js')).parseCsv,
  tsv: async () => (await import('./formats/csv/parse-csv.js')).parseCsv,
  json: async () => (await import('./formats/json/parse-json.js')).parseJson,
  ndjson: async () => (await import('./formats/json/parse-ndjson.js')).parseNdjson,
  xml: async () => (await import('./formats/xml/parse-xml-document.js')).parseXmlDocument,
  yaml: async () => (await import('./formats/text/parse-text.js')).parseText,
  txt: async () => (await import('./formats/text/parse-text.js')).parseText,
  png: async () => (await import('./formats/picture/parse-picture.js')).parsePicture,
  jpeg: async () => (await import('./formats/picture/parse-picture.js')).parsePicture,
  webp: async () => (await import('./formats/picture/parse-picture.js')).parsePicture,
  tiff: async () => (await import('./formats/picture/parse-picture.js')).parsePicture,
  heic: async () => (await import('./formats/picture/parse-picture.js')).parsePicture,
};

type Recognize = NonNullable<ParseInput['recognize']>;

/** Have pictures read while their pages are. */
const ASKING_WITH_PAGES: ReadonlySet<SubType> = new Set(['docx', 'pptx', 'epub', 'eml', 'msg']);

/** How deep files may lie in files. */
export const MAX_DEPTH = 3;

/**
 * Turns a file into pages of Markdown. The content decides which parser runs; `mediaType` and `fileName` only
 * where it leaves that open. Text comes out storable: no NUL, no lone surrogates, `\n` line ends.
 *
 * All calls of `recognize` are made before it resolves.
 *
 * @throws ParseError when the file gives no text, also while its pages are read; the reason of `signal` when it
 *   fires; what `recognize` throws
 */
export async function parse(input: ParseInput): Promise<ParsedDocument> {
  const { recognize } = input;
  if (!recognize) return parseAt(0, input);
  const document = await parseAt(0, { ...input, recognize: withKnownErrors(recognize) });
  return ASKING_WITH_PAGES.has(document.subType)
    ? { ...document, pages: await readAhead(document.pages) }
    : document;
}

async function readAhead(pages: AsyncIterable<ParsedPage>): Promise<AsyncIterable<ParsedPage>> {
  const all: ParsedPage[] = [];
  for await (const page of pages) all.push(page);
  return (async function* () {
    yield* all;
  })();
}

async function parseAt(depth: number, input: ParseInput): Promise<ParsedDocument> {
  input.signal?.throwIfAborted();
  if (input.source.size === 0) throw emptyText();
  const { subType, mediaType } = await detectType(input);
  if (!subType) throw notReadable(mediaType);
  const parser = await PARSERS[subType]();
  const { pages, title } = await parser({ parseEmbeddedFile: partParser(depth + 1, input), ...input });
  const cleanTitle = title && cleanText(title).trim();
  return { subType, mediaType, ...(cleanTitle && { title: cleanTitle }), pages: clean(pages, input) };
}

const partParser =
  (depth: number, input: ParseInput): ParseInput['parseEmbeddedFile'] =>
  async (bytes, { page = 1, ...hints }) => {
    if (depth > MAX_DEPTH) return undefined;
    const source = sourceFromBuffer(bytes);
    const { signal, textBudget, warn, comments, recognize, recognizeAlso } = input;
    const { pages } = await parseAt(depth, {
      source,
      ...hints,
      ...(signal && { signal }),
      ...(textBudget && { textBudget }),
      ...(comments !== undefined && { comments }),
      ...(warn && { warn: warnWithin(warn, hints) }),
      ...(recognize && { recognize: recognizeWithin(recognize, hints, page) }),
      ...(recognizeAlso && { recognizeAlso }),
    });
    const parts: string[] = [];
    for await (const { markdown } of pages) parts.push(markdown);
    return parts.join('\n\n');
  };

/** What is lost of a file within another is lost of the whole, and named after it. */
const warnWithin =
  (warn: Warn, hints: EmbeddedFileHints): Warn =>
  (code, where) =>
    warn(code, placeWithin(where, hints));

/** Pages of a file within another are on a page of the whole, and are none of it. */
const recognizeWithin =
  (recognize: Recognize, hints: EmbeddedFileHints, page: number): Recognize =>
  ({ loss, ...picture }) =>
    recognize({
      ...picture,
      page,
      isInText: true,
      ...(loss && { loss: { code: loss.code, ...placeWithin(loss, hints) } }),
    });

function placeWithin(
  { page, name, file }: WarningPlace,
  { fileName, mediaType }: EmbeddedFileHints,
): WarningPlace {
  const own = fileName || mediaType || 'unnamed';
  return {
    ...(page !== undefined && { page }),
    ...(name !== undefined && { name }),
    file: file === undefined ? own : `${own} / ${file}`,
  };
}

const BLANK_LINES = /^(?:[^\S\n]*\n)+/;
const countLines = (text: string): number => text.split('\n').length;

async function* clean(
  pages: ParserResult['pages'],
  { signal, textBudget, onProgress }: ParseInput,
): AsyncGenerator<ParsedPage> {
  let hasText = false;
  for await (const { markdown, rows, sheet, number } of pages) {
    signal?.throwIfAborted();
    const whole = cleanText(markdown);
    const begin = whole.replace(BLANK_LINES, '');
    const text = begin.trimEnd();
    textBudget?.spend(text.length);
    hasText ||= /[\p{L}\p{N}]/u.test(text);
    yield {
      number,
      markdown: text,
      ...(sheet !== undefined && { sheet: cleanText(sheet) }),
      ...(rows && { rows: rows.slice(countLines(whole) - countLines(begin)) }),
    };
  }
  if (!hasText) throw emptyText();
  onProgress?.(1);
}

function emptyText(): ParseError {
  return new ParseError('empty_text', 'The file has no text in it; upload one that does.');
}

function notReadable(type: string): ParseError {
  if (type === ENCRYPTED_OFFICE) {
    const message = 'The file is protected by a password; remove the password and upload it again.';
    return new ParseError('encrypted', message);
  }
  const readable = 'PDF, Word, HTML, Markdown, CSV or plain text';
  const message = `Files of this type (${type}) cannot be read; convert it to ${readable} and upload that.`;
  return new ParseError('unsupported_type', message);
}
