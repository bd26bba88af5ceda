import { ParseError } from '../../errors.js';
import { toPages } from '../../shared/tables/to-pages.js';
import type { ParseInput, ParserResult } from '../../types.js';
import { streamText } from '../text/parse-text.js';
import { parseJsonExactly } from './exact-numbers.js';
import { renderJson } from './render.js';

export const MAX_LINE = 16 * 2 ** 20;
/** Lines that may make one table; a new one begins after so many lines or characters. */
const BATCH_LINES = 1000;
const BATCH_CHARACTERS = 2 ** 20;

/** JSON values, one a line; a line that is none stays as it is. */
export async function parseNdjson(input: ParseInput): Promise<ParserResult> {
  return { pages: toPages(1, paragraphs(linesOf(streamText(input)))) };
}

async function* paragraphs(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let values: unknown[] = [];
  let size = 0;
  for await (const line of lines) {
    const value = tryParse(line);
    if (value === undefined || values.length >= BATCH_LINES || size > BATCH_CHARACTERS) {
      yield* render(values);
      values = [];
      size = 0;
    }
    if (value === undefined) yield line;
    else values.push(value);
    size += line.length;
  }
  yield* render(values);
}

function render(values: unknown[]): AsyncGenerator<string> {
  return renderJson(values.length === 1 ? values[0] : values);
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) {
      const message =
        'A line of this file is longer than 16 million characters; divide it into shorter ones.';
      throw new ParseError('too_large', message);
    }
    for (const line of lines) if (line.trim()) yield line;
  }
  if (rest.trim()) yield rest;
}

function tryParse(line: string): unknown {
  try {
    return parseJsonExactly(line);
  } catch {
    return undefined;
  }
}
