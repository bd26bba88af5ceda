import { readFile } from 'node:fs/promises';
import { type ParsedPage, type ParseInput, parse } from '../../src/parse.js';
import { sourceFromBuffer } from '../../src/source-bytes.js';

type Hints = Partial<Omit<ParseInput, 'source'>>;

/** Parses bytes, with the numbers and the Markdown of all pages at once. */
export async function parseBytes(bytes: Uint8Array, hints: Hints = {}) {
  const { pages, ...parsed } = await parse({ source: sourceFromBuffer(bytes), ...hints });
  const all: ParsedPage[] = [];
  for await (const { number, markdown } of pages) all.push({ number, markdown });
  return { ...parsed, pages: all };
}

/** The lines of a file that show rows: the sheet, the row, the line. */
export async function parseRows(bytes: Uint8Array, hints: Hints = {}) {
  const { pages } = await parse({ source: sourceFromBuffer(bytes), ...hints });
  const lines: [sheet: string | undefined, row: number, line: string | undefined][] = [];
  for await (const { sheet, rows, markdown } of pages) {
    const texts = markdown.split('\n');
    for (const [place, row] of rows?.entries() ?? [])
      if (row !== null) lines.push([sheet, row, texts[place]]);
  }
  return lines;
}

export const parseString = (text: string, hints: Hints = {}) => parseBytes(Buffer.from(text), hints);

/** A file of `test/fixtures`. */
export const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url));
export const parseFixture = async (name: string, hints: Hints = {}) =>
  parseBytes(await fixture(name), { fileName: name, ...hints });

/** The pages of a format that has none. */
export const onlyPage = (markdown: string) => [{ number: 1, markdown }];
