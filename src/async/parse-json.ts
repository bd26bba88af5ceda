import type { Steps } from './steps.js';

/**
 * Most values in a JSON body. Parsing time depends on values rather than bytes: 16 MiB of `[[[[` take four
 * seconds.
 */
export const MAX_BODY_VALUES = 50_000;

/** Longest name of a field: what is wrong with fields is told with their names, and is put together at once. */
export const MAX_FIELD_NAME = 100_000;

export class TooManyValuesError extends Error {}

const CHARACTERS_OF_STEP = 1_000_000;
/** What a value costs, as much as so many characters. */
const VALUE_COST = 500;
const [QUOTE, BACKSLASH, U] = [...'"\\u'].map((one) => one.charCodeAt(0));

type Container = { list: unknown[] } | { object: Record<string, unknown>; name: string };

/**
 * Parses JSON as `JSON.parse` does, which can take more than 100 ms for 16 MiB: strings of millions of characters and
 * objects of thousands of fields are put together in steps.
 *
 * @throws SyntaxError if it is no JSON, or the name of a field is too long
 * @throws TooManyValuesError if it has more values than `maxValues`
 */
export function* parseJsonInSteps(text: string, maxValues = MAX_BODY_VALUES): Steps<unknown> {
  // So short that it cannot have too many values.
  if (text.length < Math.min(maxValues, MAX_BODY_VALUES)) return JSON.parse(text);
  const open: Container[] = [];
  let [at, values, cost] = [0, 0, 0];
  for (;;) {
    // Here a value begins.
    if (++values > maxValues) throw new TooManyValuesError();
    yield* pay(VALUE_COST);
    let value: unknown;
    const first = yield* next();
    if (first === '[' || first === '{') {
      at++;
      const isEmpty = (yield* next()) === (first === '[' ? ']' : '}');
      if (isEmpty) at++;
      value = first === '[' ? [] : {};
      if (!isEmpty) {
        if (first === '[') open.push({ list: [] });
        else open.push({ object: {}, name: yield* name() });
        continue;
      }
    } else value = yield* first === '"' ? string() : literal();
    // Here it ends, and what it is in may end, too.
    for (;;) {
      const around = open.at(-1);
      const after = yield* next();
      if (!around) {
        if (after === '') return value;
        throw unexpected();
      }
      add(value, around);
      if (after !== ',' && after !== ('list' in around ? ']' : '}')) throw unexpected();
      at++;
      if (after === ',') {
        if ('name' in around) around.name = yield* name();
        break;
      }
      open.pop();
      value = 'list' in around ? around.list : around.object;
    }
  }

  /** The next character that is no space. */
  function* next(): Steps<string> {
    for (let start = at; SPACES.has(text.charAt(at)); start = at) {
      const most = at + CHARACTERS_OF_STEP;
      while (at < most && SPACES.has(text.charAt(at))) at++;
      yield* pay(at - start);
    }
    return text.charAt(at);
  }

  function* name(): Steps<string> {
    if ((yield* next()) !== '"') throw unexpected();
    const found = yield* string();
    if (found.length > MAX_FIELD_NAME)
      throw new SyntaxError(`The name of a field has more than ${MAX_FIELD_NAME} characters`);
    if ((yield* next()) !== ':') throw unexpected();
    at++;
    return found;
  }

  function* string(): Steps<string> {
    let found = '';
    for (let start = ++at; ; start = at) {
      at = endOfPart(text, at);
      found += JSON.parse(`"${text.slice(start, at)}"`);
      yield* pay(at - start);
      if (text.charCodeAt(at) === QUOTE) break;
      if (at >= text.length) throw unexpected();
    }
    at++;
    return found;
  }

  function* literal(): Steps<unknown> {
    LITERAL.lastIndex = at;
    const [found = ''] = LITERAL.exec(text) ?? [];
    if (found === '') throw unexpected();
    at += found.length;
    yield* pay(found.length);
    return JSON.parse(found);
  }

  function* pay(characters: number): Steps<void> {
    cost += characters;
    if (cost < CHARACTERS_OF_STEP) return;
    cost = 0;
    yield;
  }

  function unexpected(): SyntaxError {
    return new SyntaxError(
      at < text.length ? `Unexpected character at position ${at}` : 'Unexpected end of JSON',
    );
  }
}

const SPACES = new Set(' \n\r\t');
/** A number, true, false or null, if it is one at all. */
const LITERAL = /[-+.\w]+/y;

function add(value: unknown, into: Container): void {
  if ('list' in into) into.list.push(value);
  else if (into.name !== '__proto__') into.object[into.name] = value;
  else
    Object.defineProperty(into.object, into.name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** The place of the quote that ends a string, or of where it can be cut. */
function endOfPart(text: string, start: number): number {
  const most = Math.min(text.length, start + CHARACTERS_OF_STEP);
  let at = start;
  for (; at < most; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at += text.charCodeAt(at + 1) === U ? 5 : 1;
  }
  return at;
}
