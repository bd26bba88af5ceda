import { tableHead, tableRow } from './markdown-table.js';
import type { ParsedPage } from './types.js';

/** Characters of rows under one header: less than a chunk, so that each chunk has the header in it. */
const GROUP_SIZE = 800;
/** Under a header longer than this come so many times its length of rows, or it would outweigh them. */
const MAX_SMALL_HEAD = 400;
const ROWS_PER_LONG_HEAD = 20;
/** More are the rows of a single column. */
const MAX_TITLES = 20;
/** Characters of groups that are handed on at once. */
const STRETCH = 64 * 1024;

type Rows = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/**
 * Rows as small Markdown tables, each under the same header. Rows with a single filled cell that come before the
 * header are titles, and become paragraphs.
 */
export async function* groupRows(rows: Rows): AsyncGenerator<string> {
  let head = '';
  let limit = 0;
  let group: string[] = [];
  let size = 0;
  for await (const row of headFirst(rows)) {
    if (typeof row === 'string') {
      yield row;
      continue;
    }
    if (!head) {
      head = tableHead(row).join('\n');
      limit = head.length <= MAX_SMALL_HEAD ? GROUP_SIZE - head.length : head.length * ROWS_PER_LONG_HEAD;
      continue;
    }
    const line = tableRow(row);
    if (group.length > 0 && size + line.length > limit) {
      yield [head, ...group].join('\n');
      group = [];
      size = 0;
    }
    group.push(line);
    size += line.length + 1;
  }
  if (head) yield [head, ...group].join('\n');
}

/** Titles as texts, then the rows from the header on. Where no row has two filled cells, the first is the header. */
async function* headFirst(rows: Rows): AsyncGenerator<string | readonly string[]> {
  let titles: (readonly string[])[] | undefined = [];
  for await (const row of rows) {
    if (!titles) {
      yield row;
      continue;
    }
    const isHead = row.filter((cell) => cell.trim()).length > 1;
    if (!isHead) titles.push(row);
    if (!isHead && titles.length <= MAX_TITLES) continue;
    yield* isHead ? titles.map((title) => title.join('').replace(/\s+/g, ' ').trim()) : titles;
    if (isHead) yield row;
    titles = undefined;
  }
  yield* titles ?? [];
}

/** Paragraphs as stretches of a page, so that a long page is never held as a whole. */
export async function* toStretches(
  number: number,
  paragraphs: AsyncIterable<string>,
): AsyncGenerator<ParsedPage> {
  let ready: string[] = [];
  let size = 0;
  for await (const paragraph of paragraphs) {
    ready.push(paragraph);
    size += paragraph.length;
    if (size < STRETCH) continue;
    yield { number, markdown: ready.join('\n\n') };
    ready = [];
    size = 0;
  }
  if (ready.length > 0) yield { number, markdown: ready.join('\n\n') };
}
