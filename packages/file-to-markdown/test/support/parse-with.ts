import { sourceFromBuffer } from '../../src/source-bytes.js';
import type { ParsedPage, ParseInput, Parser } from '../../src/types.js';

/** Runs one parser, whatever the bytes are, with all pages at once. */
export async function parseWith(parser: Parser, bytes: Uint8Array, hints: Partial<ParseInput> = {}) {
  const { pages, ...parsed } = await parser({ source: sourceFromBuffer(bytes), ...hints });
  const all: ParsedPage[] = [];
  for await (const page of pages) all.push(page);
  return { ...parsed, pages: all };
}
