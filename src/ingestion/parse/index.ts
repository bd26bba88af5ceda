import { detectType } from '../detect-type.js';
import { cleanText } from '../normalize.js';
import { parseCsv } from './csv.js';
import { parseDocx } from './docx.js';
import { parseHtml } from './html.js';
import { ParseError } from './parse-error.js';
import { parsePdf } from './pdf.js';
import { parseMarkdown, parseText } from './text.js';
import type { ParsedDocument, ParseInput, Parser, SubType } from './types.js';

export type { ParsedDocument, ParseInput } from './types.js';

/** One parser for each family of formats; a sub-type that is missing here is known but not read. */
const PARSERS: Partial<Record<SubType, Parser>> = {
  pdf: parsePdf,
  docx: parseDocx,
  html: parseHtml,
  csv: parseCsv,
  md: parseMarkdown,
  txt: parseText,
  json: parseText,
  xml: parseText,
};

/**
 * Turns a file into pages of Markdown. The content decides which parser runs; `mediaType` and `fileName` only
 * where it leaves that open. Text comes out storable: no NUL, no lone surrogates, `\n` line ends.
 *
 * @throws ParseError when the file gives no text; the reason of `signal` when it fires
 */
export async function parse(input: ParseInput): Promise<ParsedDocument> {
  input.signal?.throwIfAborted();
  if (input.bytes.length === 0) throw emptyText();
  const { subType, mediaType } = await detectType(input);
  const parser = subType && PARSERS[subType];
  if (!parser) throw notReadable(input.bytes, subType ?? mediaType);
  const { pages, title } = await parser(input);
  input.signal?.throwIfAborted();
  const clean = pages.map(({ number, markdown }) => ({ number, markdown: cleanText(markdown).trim() }));
  if (clean.every(({ markdown }) => !/[\p{L}\p{N}]/u.test(markdown))) throw emptyText();
  input.onProgress?.(1);
  const cleanTitle = title && cleanText(title).trim();
  return { subType, mediaType, ...(cleanTitle && { title: cleanTitle }), pages: clean };
}

function emptyText(): ParseError {
  return new ParseError('empty_text', 'The file has no text in it; upload one that does.');
}

function notReadable(bytes: Uint8Array, type: string): ParseError {
  // How Office encrypts: an OLE container around the real file ([MS-OFFCRYPTO] 2.3.4.4).
  if (
    type === 'application/x-cfb' &&
    Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'))
  ) {
    const message = 'The file is protected by a password; remove the password and upload it again.';
    return new ParseError('encrypted', message);
  }
  const readable = 'PDF, Word (docx), HTML, Markdown, CSV, JSON, XML or plain text';
  const message = `Files of this type (${type}) cannot be read; convert it to ${readable} and upload that.`;
  return new ParseError('unsupported_type', message);
}
