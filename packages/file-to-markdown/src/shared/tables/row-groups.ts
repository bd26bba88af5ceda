import { tableHead, tableRow } from './markdown-table.js';
import { paragraphOf, type RowParagraph } from './row-paragraph.js';
import { columnLabels, rowToLines } from './row-record.js';

/** Characters of rows under one header: less than a chunk, so that each chunk has the header in it. */
const GROUP_SIZE = 800;
/** About what a chunk holds. A row that is longer with its header would be cut, and values be parted from names. */
const MAX_TABLE = 1000;
/** A longer header leaves no room for rows; without it, the cells of a wide sheet mean nothing. */
const MAX_HEAD = 400;
/** More are the rows of a single column. */
const MAX_TITLES = 20;

type Rows = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/** A row with its number in the source. */
export interface NumberedRow {
  cells: readonly string[];
  /** From 1. */
  number: number;
}

/** Rows as `numberedRowsToMarkdown` writes them, without their numbers. */
export async function* rowsToMarkdown(rows: Rows): AsyncGenerator<string> {
  for await (const { text } of numberedRowsToMarkdown(withoutNumbers(rows))) yield text;
}

async function* withoutNumbers(rows: Rows): AsyncGenerator<NumberedRow> {
  for await (const cells of rows) yield { cells, number: 0 };
}

/**
 * Rows as small Markdown tables, each under the same header, or as records of `column: value` where a row or the header
 * is too long for a table. Rows with a single filled cell that come before the header are titles, and become paragraphs.
 */
export async function* numberedRowsToMarkdown(
  rows: Iterable<NumberedRow> | AsyncIterable<NumberedRow>,
): AsyncGenerator<RowParagraph> {
  let labels: readonly string[] = [];
  let group: RowGroup | undefined;
  for await (const row of headFirst(rows)) {
    if ('text' in row) {
      yield row;
    } else if (!group) {
      labels = columnLabels(row.cells);
      group = new RowGroup(row);
    } else {
      const line = group.head.length > MAX_HEAD ? undefined : tableRow(row.cells);
      if (line === undefined || group.head.length + line.length >= MAX_TABLE) {
        yield* group.take();
        for (const text of rowToLines(labels, row.cells, GROUP_SIZE)) yield paragraphOf(text, row.number);
      } else {
        if (!group.hasRoomFor(line)) yield* group.take();
        group.add(line, row.number);
      }
    }
  }
  if (group) yield* group.take();
}

/** The rows of the next small table. */
class RowGroup {
  readonly head: string;
  readonly #limit: number;
  readonly #headNumber: number;
  #lines: string[] = [];
  #numbers: number[] = [];
  #size = 0;
  #isFirst = true;

  constructor(head: NumberedRow) {
    this.head = tableHead(head.cells).join('\n');
    this.#headNumber = head.number;
    this.#limit = GROUP_SIZE - this.head.length;
  }

  hasRoomFor(line: string): boolean {
    return this.#lines.length === 0 || this.#size + line.length <= this.#limit;
  }

  add(line: string, number: number): void {
    this.#lines.push(line);
    this.#numbers.push(number);
    this.#size += line.length + 1;
  }

  /** The table so far; without rows only the first time, so that the names of empty columns are kept. */
  *take(): Generator<RowParagraph> {
    if (this.#lines.length > 0 || this.#isFirst) {
      const head = this.#isFirst ? this.#headNumber : null;
      yield { text: [this.head, ...this.#lines].join('\n'), rows: [head, null, ...this.#numbers] };
    }
    this.#lines = [];
    this.#numbers = [];
    this.#size = 0;
    this.#isFirst = false;
  }
}

/** Titles as texts, then the rows from the header on. Where no row has two filled cells, the first is the header. */
async function* headFirst(
  rows: Iterable<NumberedRow> | AsyncIterable<NumberedRow>,
): AsyncGenerator<RowParagraph | NumberedRow> {
  let titles: NumberedRow[] | undefined = [];
  for await (const row of rows) {
    if (!titles) {
      yield row;
      continue;
    }
    const isHead = row.cells.filter((cell) => cell.trim()).length > 1;
    if (!isHead) titles.push(row);
    if (!isHead && titles.length <= MAX_TITLES) continue;
    yield* isHead ? titles.map(titleOf) : titles;
    if (isHead) yield row;
    titles = undefined;
  }
  yield* titles ?? [];
}

const titleOf = ({ cells, number }: NumberedRow): RowParagraph =>
  paragraphOf(cells.join('').replace(/\s+/g, ' ').trim(), number);
