import { expect, test } from 'vitest';
import { serializeError, serializeStderr } from './serialize-error.js';

/** An error as the database client makes it, with everything that it knows. */
const databaseError = (code: string, message: string) =>
  Object.assign(new Error(message), {
    name: 'error',
    code,
    severity: 'ERROR',
    detail: 'Failing row contains (Dear diary).',
    where: "COPY chunks, line 1: 'Dear diary'",
    internalQuery: "select 'Dear diary'",
    query: "insert into chunks values ('Dear diary')",
    parameters: ['Dear diary'],
    schema: 'public',
    table: 'chunks',
    column: 'text',
    constraint: 'chunks_check',
    routine: 'ExecConstraints',
  });

const serialized = (error: unknown) => JSON.stringify(serializeError(error));
const FRAMES = expect.stringMatching(/^\s+at .*serialize-error\.test\.ts/);

test('serializes a database error without row values', () => {
  const message = 'new row for relation "chunks" violates check constraint "chunks_check"';
  expect(serializeError(databaseError('23514', message))).toEqual({
    type: 'error',
    message,
    code: '23514',
    severity: 'ERROR',
    schema: 'public',
    table: 'chunks',
    column: 'text',
    constraint: 'chunks_check',
    routine: 'ExecConstraints',
    stack: FRAMES,
  });
});

test.each([
  [
    '22P02',
    'invalid input syntax for type integer: "Dear diary"',
    'invalid input syntax for type integer: "…"',
  ],
  ['22P02', 'malformed array literal: "Dear "my" diary"', 'malformed array literal: "…"'],
  ['42601', 'syntax error in tsquery: "Dear diary"', 'syntax error in tsquery: "…"'],
  ['22P05', 'bad "Dear\ndiary"\n    at nowhere', 'bad "…"\n    at nowhere'],
])('a message of class %s is logged without the value it quotes', (code, message, expected) => {
  const error = databaseError(code, message);
  expect(serializeError(error)).toMatchObject({ message: expected });
  expect(serialized(error)).not.toMatch(/Dear|diary/);
});

test('does not quote invalid JSON', () => {
  let error: unknown;
  try {
    JSON.parse('Dear diary');
  } catch (thrown) {
    error = thrown;
  }
  expect(serialized(error)).not.toContain('Dear');
  expect(serializeError(error)).toMatchObject({ type: 'SyntaxError' });
});

test('serializes causes and aggregate errors', () => {
  const inner = databaseError('22P02', 'invalid input syntax for type json: "Dear diary"');
  const error = new Error('the whole', { cause: new AggregateError([inner, new Error('another')], 'some') });
  expect(serializeError(error)).toMatchObject({
    message: 'the whole',
    cause: {
      type: 'AggregateError',
      message: 'some',
      errors: [{ message: 'invalid input syntax for type json: "…"' }, { message: 'another' }],
    },
  });
  expect(serialized(error)).not.toContain('diary');
});

test('stops at circular causes', () => {
  const error = new Error('round');
  error.cause = error;
  expect(serialized(error)).toContain('round');
});

test('logs the type of non-errors', () => {
  expect(serializeError({ text: 'Dear diary' })).toEqual({ type: 'object' });
  expect(serializeError(undefined)).toEqual({ type: 'undefined' });
});

test('keeps errors and stack frames of stderr', () => {
  const words = `Warning: odd font in "Dear diary"
file:///lectern/parse/index.js:10
    throw new TypeError("Dear diary");
TypeError: cannot read Dear diary
    at parse (file:///lectern/parse/index.js:10:5)
FATAL ERROR: Reached heap limit Allocation failed`;
  expect(serializeStderr(words)).toBe(`TypeError
    at parse (file:///lectern/parse/index.js:10:5)
FATAL ERROR: Reached heap limit Allocation failed`);
});
