import { createDecoder, detectWideEncoding } from '../decode/decode-text.js';
import type { SourceBytes } from '../source-bytes.js';

const MAX_TO_PARSE = 2 ** 20;
const LINES_TO_CHECK = 20;
/** With what ends it; where nothing does, the pattern matches all the same, since looking again takes quadratic time. */
const STRINGS = /"(?:[^"\\\n]|\\.)*(?:("|$)|)/g;

/** Whether a text that begins with a brace or bracket is JSON, or JSON objects one a line. */
export async function detectJsonType(
  head: string,
  source: SourceBytes,
): Promise<'json' | 'ndjson' | undefined> {
  if (!/^[{[]/.test(head)) return undefined;
  if (isObjectPerLine(head)) return 'ndjson';
  const isJson =
    source.size <= MAX_TO_PARSE
      ? parses(decode(await source.readAll()))
      : /^[{[]\s*["{[\d]/.test(head) && isLexed(head);
  return isJson ? 'json' : undefined;
}

function isObjectPerLine(head: string): boolean {
  const lines = head
    .split(/\r?\n/)
    .slice(0, -1)
    .filter((line) => line.trim());
  const last = head.slice(head.lastIndexOf('\n') + 1);
  if (lines.length === 1 && parses(last)) lines.push(last);
  const first = lines.slice(0, LINES_TO_CHECK);
  return first.length > 1 && first.every((line) => line.trimStart().startsWith('{') && parses(line));
}

/** Whether the beginning of a text has nothing in it but strings and what JSON has between them. */
function isLexed(head: string): boolean {
  return /^[\s{}[\],:\d.eE+-]*$/.test(
    head
      .replace(STRINGS, (_, end?: string) => (end === undefined ? '"' : ''))
      .replace(/\b(?:true|false|null|[a-z]+$)\b/g, ''),
  );
}

function parses(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function decode(bytes: Buffer): string {
  return createDecoder(detectWideEncoding(bytes) ?? 'utf-8').decode(bytes);
}
