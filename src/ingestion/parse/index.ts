import { detectType, ENCRYPTED_OFFICE } from '../detect-type.js';
import { cleanText } from '../normalize.js';
import { ParseError } from './parse-error.js';
import type { Parsed, ParsedDocument, ParsedPage, ParseInput, Parser, SubType } from './types.js';

export type { ParsedDocument, ParsedPage, ParseInput } from './types.js';

/** One parser for each family of formats, loaded when it is needed. */
const PARSERS: Partial<Record<SubType, () => Promise<Parser>>> = {
  pdf: async () => (await import('./pdf.js')).parsePdf,
  docx: async () => (await import('./docx.js')).parseDocx,
  odt: async () => (await import('./odt.js')).parseOdt,
  pptx: async () => (await import('./pptx.js')).parsePptx,
  xlsx: async () => (await import('./spreadsheet.js')).parseSpreadsheet,
  xls: async () => (await import('./spreadsheet.js')).parseSpreadsheet,
  epub: async () => (await import('./epub.js')).parseEpub,
  html: async () => (await import('./html.js')).parseHtml,
  md: async () => (await import('./text.js')).parseMarkdown,
  csv: async () => (await import('./csv.js')).parseCsv,
  tsv: async () => (await import('./csv.js')).parseCsv,
  json: async () => (await import('./json.js')).parseJson,
  ndjson: async () => (await import('./ndjson.js')).parseNdjson,
  xml: async () => (await import('./xml-document.js')).parseXmlDocument,
  yaml: async () => (await import('./text.js')).parseText,
  txt: async () => (await import('./text.js')).parseText,
};

/**
 * Turns a file into pages of Markdown. The content decides which parser runs; `mediaType` and `fileName` only
 * where it leaves that open. Text comes out storable: no NUL, no lone surrogates, `\n` line ends.
 *
 * @throws ParseError when the file gives no text, also while its pages are read; the reason of `signal` when it
 *   fires
 */
export async function parse(input: ParseInput): Promise<ParsedDocument> {
  input.signal?.throwIfAborted();
  if (input.source.size === 0) throw emptyText();
  const { subType, mediaType } = await detectType(input);
  const load = subType && PARSERS[subType];
  if (!load) throw notReadable(subType ?? mediaType);
  const parser = await load();
  const { pages, title } = await parser(input);
  const cleanTitle = title && cleanText(title).trim();
  return { subType, mediaType, ...(cleanTitle && { title: cleanTitle }), pages: clean(pages, input) };
}

async function* clean(
  pages: Parsed['pages'],
  { signal, onProgress }: ParseInput,
): AsyncGenerator<ParsedPage> {
  let hasText = false;
  for await (const { number, markdown } of pages) {
    signal?.throwIfAborted();
    const text = cleanText(markdown).trim();
    hasText ||= /[\p{L}\p{N}]/u.test(text);
    yield { number, markdown: text };
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
  const readable = 'PDF, Word (docx), HTML, Markdown, CSV, JSON, XML or plain text';
  const message = `Files of this type (${type}) cannot be read; convert it to ${readable} and upload that.`;
  return new ParseError('unsupported_type', message);
}
