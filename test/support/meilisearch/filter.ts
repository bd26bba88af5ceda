import { NotImplementedError } from './errors.js';

interface Condition {
  kind: 'condition';
  attribute: string;
  /** Where the filter it stands in names the attribute. */
  source: { text: string; at: number };
  operator: string;
  values: string[];
}

/** `NOT` has one part. */
export type Filter = Condition | { kind: 'AND' | 'OR' | 'NOT'; of: Filter[] };

/** A filter that does not parse, or names what is not filterable. */
export class FilterError extends Error {
  constructor(
    message: string,
    /** What it is about, if it parses. */
    readonly about?: 'attribute' | 'operator',
  ) {
    super(message);
  }
}

const OPERATIONS =
  '`=`, `!=`, `>=`, `>`, `<=`, `<`, `IN`, `NOT IN`, `TO`, `EXISTS`, `NOT EXISTS`, `IS NULL`, `IS NOT NULL`, `IS EMPTY`, `IS NOT EMPTY`, `CONTAINS`, `NOT CONTAINS`, `STARTS WITH`, `NOT STARTS WITH`, `_geoRadius`, `_geoBoundingBox` or `_geoPolygon`';

/** Reads a filter: an expression, or an array of those that must hold, where an inner array means one of them. */
export function parseFilter(given: unknown): Filter | undefined {
  if (given === null || given === undefined) return undefined;
  if (typeof given === 'string') return parseExpression(given);
  if (!Array.isArray(given)) throw unexpected('String, Array', given);
  const parts = given.map((part) => {
    if (typeof part === 'string') return parseExpression(part);
    if (!Array.isArray(part)) throw unexpected('String, [String]', part);
    const choices = part.map((choice) => {
      if (typeof choice !== 'string') throw unexpected('String', choice);
      return parseExpression(choice);
    });
    return join('OR', choices);
  });
  return join('AND', parts);
}

function unexpected(expected: string, found: unknown): FilterError {
  const reason = `expected ${expected}, found: ${JSON.stringify(found)}`;
  return new FilterError(`Invalid syntax for the filter parameter: \`${reason}\`.`);
}

function join(kind: 'AND' | 'OR', given: (Filter | undefined)[]): Filter | undefined {
  const of = given.filter((one) => one !== undefined);
  return of.length > 1 ? { kind, of } : of[0];
}

const escapeQuotes = (text: string) => text.replaceAll(/["']/g, '\\$&');

function parseExpression(text: string): Filter | undefined {
  let at = 0;
  const fail = (message: string, from: number, to = text.length) =>
    new FilterError(`${message}\n${from + 1}:${to + 1} ${text}`);

  /** Moves behind the pattern, if it comes next. */
  function take(pattern: RegExp): RegExpExecArray | undefined {
    const found = new RegExp(`\\s*${pattern.source}`, 'uy');
    found.lastIndex = at;
    const match = found.exec(text) ?? undefined;
    if (match) at = found.lastIndex;
    return match;
  }

  function skipSpace(): number {
    while (/\s/.test(text[at] ?? '')) at++;
    return at;
  }

  function readWord(): string | undefined {
    const from = skipSpace();
    const quote = take(/(["'])/)?.[1];
    if (!quote) return take(/([\p{L}\p{N}_./-]+)/u)?.[1];
    let word = '';
    for (; text[at] !== quote; at++) {
      if (text[at] === '\\') at++;
      if (at >= text.length) {
        const seen = escapeQuotes(text.slice(from));
        throw fail(`Expression \`${seen}\` is missing the following closing delimiter: \`${quote}\`.`, from);
      }
      word += text[at];
    }
    at++;
    return word;
  }

  function readValue(): string {
    const value = readWord();
    if (value === undefined) throw fail('Was expecting a value but instead got nothing.', at);
    return value;
  }

  function readList(): string[] {
    skipSpace();
    if (!take(/\[/)) throw fail('Expected `[` after `IN` keyword.', at);
    const values: string[] = [];
    while (!take(/\]/)) {
      const value = readWord();
      if (value !== undefined) values.push(value);
      if (take(/,/) || take(/(?=\])/)) continue;
      const found = escapeQuotes(text.slice(skipSpace()));
      if (found) {
        const reason = `Expected only comma-separated field names inside \`IN[..]\` but instead found \`${found}\`.`;
        throw fail(reason, at);
      }
      throw fail('Expected matching `]` after the list of field names given to `IN[`', at, at);
    }
    return values;
  }

  function readCondition(): Filter {
    const from = skipSpace();
    if (take(/(AND|OR|IN|TO|EXISTS)\b/)) throw new NotImplementedError('keywords as attributes');
    const attribute = readWord();
    const source = { text, at: text.indexOf(attribute ?? '', from) };
    const make = (operator: string, values: string[]): Condition => {
      if (!attribute || attribute.includes('.') || attribute.startsWith('_')) {
        throw new NotImplementedError(`a filter on \`${attribute}\``);
      }
      return { kind: 'condition', attribute, source, operator, values };
    };
    const operator = attribute === undefined ? undefined : take(/(!=|>=|<=|=|>|<)/)?.[1];
    if (operator) return make(operator, [readValue()]);
    if (take(/NOT\s+IN\b/)) return { kind: 'NOT', of: [make('IN', readList())] };
    if (take(/IN\b/)) return make('IN', readList());
    if (take(/(NOT|EXISTS|IS|CONTAINS|STARTS)\b/)) throw new NotImplementedError(`the filter \`${text}\``);
    const lower = attribute && readWord();
    if (lower !== undefined && take(/TO\b/)) return make('TO', [lower, readValue()]);
    const found = escapeQuotes(text.slice(from));
    const where = found ? ` at \`${found}\`` : ' but instead got nothing';
    throw fail(`Was expecting an operation ${OPERATIONS}${where}.`, from);
  }

  function readUnit(): Filter {
    if (take(/NOT\b/)) return { kind: 'NOT', of: [readUnit()] };
    const from = at;
    if (!take(/\(/)) return readCondition();
    const inner = readChoice();
    if (!take(/\)/)) {
      throw fail(
        `Expression \`${text.slice(from)}\` is missing the following closing delimiter: \`)\`.`,
        from,
      );
    }
    return inner;
  }

  function readAll(): Filter {
    const of = [readUnit()];
    while (take(/AND\b/)) of.push(readUnit());
    return join('AND', of)!;
  }

  function readChoice(): Filter {
    const of = [readAll()];
    while (take(/OR\b/)) of.push(readAll());
    return join('OR', of)!;
  }

  if (text.trim() === '') return undefined;
  const filter = readChoice();
  if (skipSpace() < text.length) {
    const message = `Found unexpected characters at the end of the filter: \`${text.slice(at)}\`. You probably forgot an \`OR\` or an \`AND\` rule.`;
    throw fail(message, at);
  }
  return filter;
}
