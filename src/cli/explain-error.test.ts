import { expect, test } from 'vitest';
import { DomainError } from '../errors.js';
import { explainError } from './explain-error.js';

const failed = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ['28P01', 'password authentication failed for user "lectern"', /refuses the user .*percent-encoded/],
  ['28000', 'no pg_hba.conf entry for host "10.0.0.7"', /pg_hba\.conf/],
  [
    '3D000',
    'database "lectern" does not exist',
    /^Database "lectern" does not exist\. Make it with: createdb/,
  ],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND word@db', /has no address .*percent-encoded/],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', /cannot be reached .*DATABASE_URL/],
  ['42501', 'permission denied for schema public', /grant create on schema public to USER$/],
  ['53300', 'sorry, too many clients already', /max_connections/],
  ['P0001', 'The database user x may not create or grant the role y.', /^The database user x .* role y\.$/],
  ['42P01', 'relation "documents" does not exist', /Run: lectern migrate$/],
  ['57P03', 'the database system is starting up', /was lost/],
])('%s is explained in one line without its origin', (code, message, said) => {
  const text = explainError(failed(code, message));
  expect(text).toMatch(said);
  expect(text).not.toMatch(/\n|explain-error\.test/);
});

test('several attempts are explained once', () => {
  const refused = failed('ECONNREFUSED', 'connect ECONNREFUSED');
  expect(explainError(new AggregateError([refused, refused]))).toBe(explainError(refused));
});

test('sentences are left as they are, and mistakes have their origin', () => {
  expect(explainError(new DomainError('not_found', 'There is none.'))).toBe('There is none.');
  expect(explainError(new TypeError('x is not a function'))).toMatch(/^TypeError: x .*\n +at /);
});
