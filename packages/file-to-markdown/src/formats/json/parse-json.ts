import { ParseError } from '../../errors.js';
import { toPages } from '../../shared/tables/to-pages.js';
import type { ParseInput, ParserResult } from '../../types.js';
import { parseText, readText } from '../text/parse-text.js';
import { parseJsonExactly } from './exact-numbers.js';
import { isRecord } from './record-table.js';
import { renderJson } from './render.js';

/** JSON is parsed as a whole, which takes several times its size. */
export const MAX_BYTES = 64 * 2 ** 20;

/** JSON as text that reads well; what is broken as it is. */
export async function parseJson(input: ParseInput): Promise<ParserResult> {
  if (input.source.size > MAX_BYTES) {
    const message =
      'The JSON file is larger than 64 MiB; split it, or give one object a line and name it .ndjson.';
    throw new ParseError('too_large', message);
  }
  const value = tryParse(await readText(input));
  if (value === undefined) return parseText(input);
  const title = isRecord(value) && typeof value.title === 'string' && value.title;
  return { pages: toPages(1, renderJson(value)), ...(title && { title }) };
}

function tryParse(text: string): unknown {
  try {
    return parseJsonExactly(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
