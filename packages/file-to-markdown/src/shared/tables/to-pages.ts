import type { ParsedPage } from '../../types.js';
import type { RowParagraph } from './row-paragraph.js';

/** Characters of paragraphs that are handed on at once. */
const STRETCH = 64 * 1024;

/** Paragraphs as parts of a page, so that a long page is never in memory as a whole. */
export async function* toPages(
  number: number,
  paragraphs: AsyncIterable<string>,
): AsyncGenerator<ParsedPage> {
  for await (const { text } of stretches(withoutRows(paragraphs))) yield { number, markdown: text };
}

/** The same of paragraphs that show rows. */
export async function* toPagesOfRows(
  page: Pick<ParsedPage, 'number' | 'sheet'>,
  paragraphs: AsyncIterable<RowParagraph>,
): AsyncGenerator<ParsedPage> {
  for await (const { text, rows } of stretches(paragraphs)) yield { ...page, markdown: text, rows };
}

async function* withoutRows(paragraphs: AsyncIterable<string>): AsyncGenerator<RowParagraph> {
  for await (const text of paragraphs) yield { text, rows: [] };
}

async function* stretches(paragraphs: AsyncIterable<RowParagraph>): AsyncGenerator<RowParagraph> {
  let ready: RowParagraph[] = [];
  let size = 0;
  for await (const paragraph of paragraphs) {
    ready.push(paragraph);
    size += paragraph.text.length;
    if (size < STRETCH) continue;
    yield join(ready);
    ready = [];
    size = 0;
  }
  if (ready.length > 0) yield join(ready);
}

/** With a blank line between two, which is of no row. */
const join = (paragraphs: RowParagraph[]): RowParagraph => ({
  text: paragraphs.map(({ text }) => text).join('\n\n'),
  rows: paragraphs.flatMap(({ rows }, place) => (place > 0 ? [null, ...rows] : rows)),
});
