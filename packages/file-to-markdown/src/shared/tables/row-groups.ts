import type { ParsedPage } from '../../types.js';
import { tableHead, tableRow } from './markdown-table.js';
import { columnLabels, rowToLines } from './row-record.js';

/** Characters of rows under one header: less than a chunk, so that each chunk has the header in it. */
const GROUP_SIZE = 800;
/** About what a chunk holds. A row that is longer with its header would be cut, and values be parted from names. */
const MAX_TABLE = 1000;
/** A longer header leaves no room for rows; without it, the cells of a wide sheet mean nothing. */
const MAX_HEAD = 400;
/** More are the rows of a single column. */
const MAX_TITLES = 20;
/** Characters of groups that are handed on at once. */
const STRETCH = 64 * 1024;

type Rows = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/**
 * Rows as small Markdown tables, each under the same header, or as records of `column: value` where a row or the header
 * is too long for a table. Rows with a single filled cell that come before the header are titles, and become paragraphs.
 */
export async function* rowsToMarkdown(rows: Rows): AsyncGenerator<string> {
  let labels: readonly string[] = [];
  let group: RowGroup | undefined;
  for await (const row of headFirst(rows)) {
    if (typeof row === 'string') {
      yield row;
    } else if (!group) {
      labels = columnLabels(row);
      group = new RowGroup(row);
    } else {
      const line = group.head.length > MAX_HEAD ? undefined : tableRow(row);
      if (line === undefined || group.head.length + line.length >= MAX_TABLE) {
        yield* group.take();
        yield* rowToLines(labels, row, GROUP_SIZE);
      } else {
        if (!group.hasRoomFor(line)) yield* group.take();
        group.add(line);
      }
    }
  }
  if (group) yield* group.take();
}

/** The rows of the next small table. */
class RowGroup {
  readonly head: string;
  readonly #limit: number;
  #lines: string[] = [];
  #size = 0;
  #isFirst = true;

  constructor(head: readonly string[]) {
    this.head = tableHead(head).join('\n');
    this.#limit = GROUP_SIZE - this.head.length;
  }

  hasRoomFor(line: string): boolean {
    return this.#lines.length === 0 || this.#size + line.length <= this.#limit;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#size += line.length + 1;
  }

  /** The table so far; without rows only the first time, so that the names of empty columns are kept. */
  *take(): Generator<string> {
    if (this.#lines.length > 0 || this.#isFirst) yield [this.head, ...this.#lines].join('\n');
    this.#lines = [];
    this.#size = 0;
    this.#isFirst = false;
  }
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

/** Paragraphs as parts of a page, so that a long page is never in memory as a whole. */
export async function* toPages(
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
