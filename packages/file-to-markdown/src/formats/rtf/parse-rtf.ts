import { corruptFileError } from '../../errors.js';
import { toPagedDocument } from '../../shared/text/page-breaks.js';
import type { ParseInput, ParserResult } from '../../types.js';
import { readRtf } from './read-rtf.js';

/** Rich Text: headings, paragraphs, lists, tables and notes, with pages where somebody broke them. */
export async function parseRtf({ source, signal }: ParseInput): Promise<ParserResult> {
  const bytes = await source.readAll();
  signal?.throwIfAborted();
  const start = bytes.subarray(0, 1024).indexOf('{\\rtf');
  if (start < 0) throw corruptFileError('RTF document');
  const { markdown, title } = readRtf(bytes.subarray(start));
  return toPagedDocument(markdown, title);
}
