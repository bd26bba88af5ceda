import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse as csvParser } from 'csv-parse';
import { tableHead, tableRow } from './markdown-table.js';
import { corrupt, ParseError } from './parse-error.js';
import { onePage, readText } from './text.js';
import type { Parsed, ParseInput } from './types.js';

const DELIMITERS = [',', '\t', ';', '|'];
/** Characters of rows under one header: less than a chunk, so that each chunk has the header in it. */
const GROUP_SIZE = 800;
/** A header longer than this stands once: repeated, it would outweigh the rows. */
const MAX_REPEATED_HEAD = 400;
const SLICE = 64 * 1024;
const MAX_RECORD_BYTES = 4 * 2 ** 20;

/** Delimited text: groups of rows as Markdown tables, each with the first record as its header. */
export async function parseCsv(input: ParseInput): Promise<Parsed> {
  const text = await readText(input);
  const records = Readable.from(slices(text, input)).pipe(
    csvParser({
      delimiter: delimiterOf(text),
      max_record_size: MAX_RECORD_BYTES,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }),
  );
  try {
    return onePage(await groupRows(records, input.signal));
  } catch (error) {
    input.signal?.throwIfAborted();
    if ((error as { code?: string }).code === 'CSV_MAX_RECORD_SIZE') {
      const message =
        'A row of this table is larger than 4 MiB; look for a quotation mark that is never closed.';
      throw new ParseError('too_large', message, { cause: error });
    }
    throw corrupt('table', error);
  }
}

async function groupRows(records: AsyncIterable<string[]>, signal?: AbortSignal): Promise<string> {
  const groups: string[] = [];
  let head: string[] = [];
  let rows: string[] = [];
  let size = 0;
  let repeatsHead = true;
  const close = () => {
    groups.push([...head, ...rows].join('\n'));
    rows = [];
    size = head.join('\n').length;
  };
  for await (const record of records) {
    signal?.throwIfAborted();
    if (head.length === 0) {
      head = tableHead(record);
      size = head.join('\n').length;
      repeatsHead = size <= MAX_REPEATED_HEAD;
      continue;
    }
    const row = tableRow(record);
    if (rows.length > 0 && repeatsHead && size + row.length > GROUP_SIZE) close();
    rows.push(row);
    size += row.length + 1;
  }
  if (rows.length > 0 || (groups.length === 0 && head.length > 0)) close();
  return groups.join('\n\n');
}

/** Small slices with a pause between, so that a large file does not keep other work waiting. */
async function* slices(text: string, { onProgress }: ParseInput): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += SLICE) {
    yield text.slice(start, start + SLICE);
    onProgress?.(Math.min(1, (start + SLICE) / text.length));
    await nextTurn();
  }
}

/** The delimiter that splits the first lines most evenly: the most fields in its poorest line. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, SLICE)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim())
    .slice(0, 20);
  const score = (delimiter: string) => Math.min(...lines.map((line) => line.split(delimiter).length));
  const best = DELIMITERS.map((delimiter) => ({ delimiter, score: score(delimiter) }));
  return best.reduce((a, b) => (b.score > a.score ? b : a)).delimiter;
}
