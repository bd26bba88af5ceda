import { DocumentParts } from './docx/package.js';
import { readDocument } from './docx/read-document.js';
import { toPagedDocument } from './page-breaks.js';
import type { ParseInput, ParserResult } from './types.js';
import { openZipParts } from './zip-parts.js';

/** Word documents: headings, paragraphs, lists, tables and notes; pages as far as the file records where they end. */
export async function parseDocx(input: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await input.source.readAll());
  input.signal?.throwIfAborted();
  return toPagedDocument(await readDocument(await DocumentParts.open(parts, input), input));
}
