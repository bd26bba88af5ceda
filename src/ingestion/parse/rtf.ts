import { pagedDocument } from './page-breaks.js';
import { corrupt } from './parse-error.js';
import { readRtf } from './rtf/read-rtf.js';
import type { Parsed, ParseInput } from './types.js';

/** Rich Text: headings, paragraphs, lists, tables and notes, with pages where somebody broke them. */
export async function parseRtf({ source, signal }: ParseInput): Promise<Parsed> {
  const bytes = await source.whole();
  signal?.throwIfAborted();
  const start = bytes.subarray(0, 1024).indexOf('{\\rtf');
  if (start < 0) throw corrupt('RTF document');
  const { markdown, title } = readRtf(bytes.subarray(start));
  return pagedDocument(markdown, title);
}
