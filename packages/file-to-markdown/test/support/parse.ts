import { readFile } from 'node:fs/promises';
import { type ParsedPage, type ParseInput, parse } from '../../src/parse.js';
import { sourceFromBuffer } from '../../src/source-bytes.js';

type Hints = Partial<Omit<ParseInput, 'source'>>;

/** Parses bytes, with all pages at once. */
export async function parseBytes(bytes: Uint8Array, hints: Hints = {}) {
  const { pages, ...parsed } = await parse({ source: sourceFromBuffer(bytes), ...hints });
  const all: ParsedPage[] = [];
  for await (const page of pages) all.push(page);
  return { ...parsed, pages: all };
}

export const parseString = (text: string, hints: Hints = {}) => parseBytes(Buffer.from(text), hints);

/** A file of `test/fixtures`. */
export const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url));
export const parseFixture = async (name: string, hints: Hints = {}) =>
  parseBytes(await fixture(name), { fileName: name, ...hints });

/** The pages of a format that has none. */
export const onlyPage = (markdown: string) => [{ number: 1, markdown }];
