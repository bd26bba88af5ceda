import { toPagedDocument } from '../../shared/text/page-breaks.js';
import { isCommentsPart } from '../../shared/zip/is-comments-part.js';
import { openZipParts } from '../../shared/zip/zip-parts.js';
import type { ParseInput, ParserResult } from '../../types.js';
import { DocumentParts } from './package.js';
import { readDocument } from './read-document.js';

/** Word documents: headings, paragraphs, lists, tables and notes; pages as far as the file records where they end. */
export async function parseDocx(input: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await input.source.readAll(), { allowDamage: isCommentsPart });
  input.signal?.throwIfAborted();
  return toPagedDocument(await readDocument(await DocumentParts.open(parts, input), input));
}
