import { pipeline, Readable } from 'node:stream';
import { parse as csvParser } from 'csv-parse';
import { decodeStream } from '../../decode/decode-text.js';
import { corruptFileError, ParseError } from '../../errors.js';
import { type NumberedRow, numberedRowsToMarkdown } from '../../shared/tables/row-groups.js';
import { toPagesOfRows } from '../../shared/tables/to-pages.js';
import type { SourceBytes } from '../../source-bytes.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { findDelimiter } from './find-delimiter.js';

const SAMPLE = 64 * 1024;
export const MAX_RECORD_BYTES = 4 * 2 ** 20;

/** Delimited text, read as a stream: groups of rows as Markdown tables, each with the header. */
export async function parseCsv(input: ParseInput): Promise<ParserResult> {
  return { pages: readPages(input) };
}

async function* readPages(input: ParseInput): AsyncGenerator<ParsedPage> {
  const { sample, text } = await takeSample(decodeStream(withProgress(input), charsetOf(input)));
  const parser = csvParser({
    delimiter: findDelimiter(sample, isTsv(input)),
    max_record_size: MAX_RECORD_BYTES,
    relax_column_count: true,
    relax_quotes: true,
  });
  // What goes wrong with the source comes out of the parser, too.
  pipeline(Readable.from(text), parser, () => {});
  try {
    yield* toPagesOfRows({ number: 1 }, numberedRowsToMarkdown(numbered(parser)));
  } catch (error) {
    input.signal?.throwIfAborted();
    if ((error as { code?: string }).code === 'CSV_MAX_RECORD_SIZE') {
      const message =
        'A row of this table is larger than 4 MiB; look for a quotation mark that is never closed.';
      throw new ParseError('too_large', message, { cause: error });
    }
    throw corruptFileError('table', error);
  }
}

/** The rows that are not empty, numbered as programs that show tables number them. */
async function* numbered(records: AsyncIterable<string[]>): AsyncGenerator<NumberedRow> {
  let number = 0;
  for await (const cells of records) {
    number++;
    if (cells.some((cell) => cell.trim() !== '')) yield { cells, number };
  }
}

/** The beginning of a text, and the whole of it. */
async function takeSample(parts: AsyncGenerator<string>) {
  let sample = '';
  while (sample.length < SAMPLE) {
    const { value, done } = await parts.next();
    if (done) break;
    sample += value;
  }
  async function* text() {
    yield sample;
    yield* parts;
  }
  return { sample, text: text() };
}

/** Tells how much of the source has been read, and stops between its parts. */
function withProgress({ source, signal, onProgress }: ParseInput): SourceBytes {
  return {
    size: source.size,
    readHead: (length) => source.readHead(length),
    readAll: () => source.readAll(),
    async *stream() {
      let read = 0;
      for await (const bytes of source.stream()) {
        signal?.throwIfAborted();
        yield bytes;
        read += bytes.length;
        onProgress?.(Math.min(1, read / source.size));
      }
    },
  };
}

function charsetOf({ mediaType = '' }: ParseInput): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w-]+)/i.exec(mediaType)?.[1];
}

function isTsv({ mediaType = '', fileName = '' }: ParseInput): boolean {
  return /^text\/tab-separated-values/i.test(mediaType) || /\.(?:tsv|tab)$/i.test(fileName);
}
