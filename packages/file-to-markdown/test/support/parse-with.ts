import { sourceFromBuffer } from '../../src/source-bytes.js';
import type { ParsedPage, ParseInput, Parser } from '../../src/types.js';

/** Runs one parser, whatever the bytes are, with the numbers and the Markdown of all pages at once. */
export async function parseWith(parser: Parser, bytes: Uint8Array, hints: Partial<ParseInput> = {}) {
  const { pages, ...parsed } = await parser({ source: sourceFromBuffer(bytes), ...hints });
  const all: ParsedPage[] = [];
  for await (const { number, markdown } of pages) all.push({ number, markdown });
  return { ...parsed, pages: all };
}
