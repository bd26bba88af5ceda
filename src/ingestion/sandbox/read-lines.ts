import type { Readable } from 'node:stream';
import { tooMuchTextError } from '../limits/file-limits.js';

/**
 * The lines of a stream, one after another; the stream waits while a line is being dealt with.
 *
 * @throws IngestionError `too_much_text` when a line is longer than `maxLength` characters
 */
export async function* readLines(stream: Readable, maxLength: number): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  stream.setEncoding('utf8');
  for await (const text of stream as AsyncIterable<string>) {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      parts.push(text.slice(start, end));
      yield parts.join('');
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(text.slice(start));
    length += text.length - start;
    if (length > maxLength) throw tooMuchTextError();
  }
}
