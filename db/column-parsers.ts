import pg from 'pg';

type Parser = (text: string) => unknown;

const TEXT = 25;
const INT8 = 20;
const TIMESTAMPTZ = 1184;
/** Years of four digits. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** The parser of columns whose value is their text. */
export const asText: Parser = pg.types.getTypeParser(TEXT);

/** The parser of a column's values, by the number of its type. */
export function parserFor(oid: number, format?: unknown): Parser {
  // bigint columns hold counts and revisions, far below 2^53.
  if (oid === INT8) return Number;
  return oid === TIMESTAMPTZ ? parseTime : pg.types.getTypeParser(oid, format as 'text');
}

/** Times that programs cannot read, infinity among them, as the first or the last that all can. Lectern writes none. */
function parseTime(text: string): Date {
  const milliseconds = parseUsualTime(text) ?? Number(pg.types.getTypeParser(TIMESTAMPTZ)(text));
  // pg has no number for years that JavaScript has no dates of; all of these are late.
  const known = Number.isNaN(milliseconds) ? LAST_TIME : milliseconds;
  return new Date(Math.min(Math.max(known, FIRST_TIME), LAST_TIME));
}

/** Such as "2026-04-07 08:09:10.123+02", in a fraction of the time that pg takes; undefined for others. */
function parseUsualTime(text: string): number | undefined {
  const sign = text.at(-3);
  if (text[4] !== '-' || (sign !== '+' && sign !== '-') || text.length > 29) return undefined;
  const milliseconds = Date.parse(`${text.slice(0, 10)}T${text.slice(11)}:00`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
