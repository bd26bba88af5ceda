import os from 'node:os';
import { expect, test } from 'vitest';
import { DomainError } from '../../errors/errors.js';
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

/** As Node.js reports it. */
const failedCall = (code: string, what: string, syscall: string, path?: string) =>
  Object.assign(new Error(`${code}: ${what}, ${syscall}${path ? ` '${path}'` : ''}`), {
    code,
    syscall,
    ...(path && { path }),
  });
const USER = os.userInfo().username;

test.each([
  [
    failedCall('EACCES', 'permission denied', 'mkdir', '/backups/monday'),
    `The user ${USER}, which this command runs as, lacks a right to /backups/monday or to a folder above it (EACCES: permission denied, mkdir). Give it the right, or use another folder.`,
  ],
  [
    failedCall('EPERM', 'operation not permitted', 'open', '/backups/monday/files.ndjson'),
    `The user ${USER}, which this command runs as, lacks a right to /backups/monday/files.ndjson or to a folder above it (EPERM: operation not permitted, open). Give it the right, or use another folder.`,
  ],
  [
    failedCall('EEXIST', 'file already exists', 'mkdir', '/backups'),
    `/backups is a file, and a folder is needed (EEXIST: file already exists, mkdir). Use a folder that the user ${USER}, which this command runs as, has the right to write to.`,
  ],
  [
    failedCall('EEXIST', 'file already exists', 'open', '/backups/a'),
    '/backups/a is there already (EEXIST: file already exists, open). Does another command write into this folder? Otherwise use another one.',
  ],
  [
    failedCall('ENOTDIR', 'not a directory', 'mkdir', '/backups/a'),
    `/backups/a cannot be a folder, because it or what is above it is a file (ENOTDIR: not a directory, mkdir). Use a folder that the user ${USER}, which this command runs as, has the right to write to.`,
  ],
  [
    failedCall('EROFS', 'read-only file system', 'mkdir', '/backups/a'),
    `/backups/a is on a disk that can only be read (EROFS: read-only file system, mkdir). Use a folder that the user ${USER}, which this command runs as, has the right to write to.`,
  ],
  [
    failedCall('ENOSPC', 'no space left on device', 'write', '/backups/a'),
    'There is no space left in /backups/a (ENOSPC: no space left on device, write). Free some, or use a folder on another disk, and run this again.',
  ],
  [
    failedCall('ENOSPC', 'no space left on device', 'write'),
    'There is no space left on a disk (ENOSPC: no space left on device, write). Free some, or use a folder on another disk, and run this again.',
  ],
  [
    failedCall('EDQUOT', 'disk quota exceeded', 'write', '/backups/a'),
    'There is no space left in /backups/a (EDQUOT: disk quota exceeded, write). Free some, or use a folder on another disk, and run this again.',
  ],
])('%s of the file system names the path and what to do', (error, said) => {
  expect(explainError(error)).toBe(said);
});

test('a server without TLS is not one that was lost', () => {
  expect(explainError(new Error('The server does not support SSL connections'))).toBe(
    'PostgreSQL offers no TLS (The server does not support SSL connections), and DATABASE_URL asks for it. Switch it on there (ssl = on in postgresql.conf), or change sslmode in DATABASE_URL: with sslmode=disable nothing is encrypted on the way.',
  );
});

test('other calls of the system have their origin', () => {
  expect(explainError(failedCall('EACCES', 'permission denied', 'spawn pg_ctl', 'pg_ctl'))).toMatch(
    /\n +at /,
  );
});

test('several attempts are explained once', () => {
  const refused = failed('ECONNREFUSED', 'connect ECONNREFUSED');
  expect(explainError(new AggregateError([refused, refused]))).toBe(explainError(refused));
});

test('sentences are left as they are, and mistakes have their origin', () => {
  expect(explainError(new DomainError('not_found', 'There is none.'))).toBe('There is none.');
  expect(explainError(new TypeError('x is not a function'))).toMatch(/^TypeError: x .*\n +at /);
});
