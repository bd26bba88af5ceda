import { RECORD_FORMAT } from '../../services/conversations/transfer/transfer.schema.js';
import { readLines } from '../shared/read-lines.js';

/** Longer than any message or conversation that a server takes. */
const MAX_LINE_BYTES = 16 * 2 ** 20;

/** What a value of JSON costs a server, as much as so many characters. */
const VALUE_COST = 40;

export interface NumberedRecord {
  line: number;
  /** In characters, with what its values cost; at least, as commas of texts are taken for values. */
  size: number;
  value: Record<string, unknown>;
}

/** What a line of an export is. */
export type Line =
  | { kind: 'conversation' | 'message'; record: NumberedRecord }
  | { kind: 'fault'; line: number; reason: string };

/** Reads the lines of an export. Those that are none are faults. */
export async function* readRecords(input: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let line = 0;
  for await (const text of readLines(input, MAX_LINE_BYTES)) {
    line += 1;
    if (text?.trim() !== '') yield toLine(line, text);
  }
}

function toLine(line: number, text: string | undefined): Line {
  const fault = (reason: string): Line => ({ kind: 'fault', line, reason });
  if (text === undefined) return fault(`is longer than ${MAX_LINE_BYTES} bytes`);
  const parsed = parseObject(text);
  if (!parsed) return fault('is no JSON object');
  const { record: kind, format, ...value } = parsed;
  if (kind !== 'conversation' && kind !== 'message') return fault('record: must be conversation or message');
  if (kind === 'conversation' && format !== RECORD_FORMAT) {
    return fault(`format: this version of lectern reads ${RECORD_FORMAT}, not ${JSON.stringify(format)}`);
  }
  const values = text.match(/[,[{]/g)?.length ?? 0;
  return { kind, record: { line, size: text.length + values * VALUE_COST, value } };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
