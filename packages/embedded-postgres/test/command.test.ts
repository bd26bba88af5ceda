import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { query, serverPid, until, useUsers } from './support/users.js';

/* The command as users run it. */

const { home } = useUsers();
const PROGRAM = path.resolve(import.meta.dirname, '../bin/embedded-postgres-run.js');

function start(...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr, [status]]) => ({ status, stdout, stderr }),
  );
  return { child, ended };
}

const run = (...args: string[]) => start(...args).ended;

test.concurrent.each(['SIGINT', 'SIGTERM'] as const)('prints the URL, and stops at %s', async (signal) => {
  const dir = path.join(home, signal);
  const { child, ended } = start(dir, '--flag=--fsync=off');
  const [url] = await once(child.stdout, 'data');
  expect(await query(String(url).trim(), 'show fsync')).toEqual([{ fsync: 'off' }]);
  child.kill(signal);
  expect(await ended).toEqual({
    status: 0,
    stdout: expect.any(String),
    stderr: expect.stringMatching(/^PostgreSQL 18\.\d+ started in .+, \d+ ms\n$/),
  });
  expect(serverPid(dir)).toBeUndefined();
});

describe('with a command', () => {
  const dir = path.join(home, 'command');
  const script = (code: string) => [dir, '--', process.execPath, '--eval', code];

  test('runs it with the URL, and ends with its status', async () => {
    const { status, stdout } = await run(...script('console.log(process.env.DATABASE_URL); process.exit(7)'));
    expect({ status, stdout }).toEqual({
      status: 7,
      stdout: expect.stringMatching(/^postgres:\/\/embedded_postgres:\w{48}@127\.0\.0\.1:\d+\/postgres\?/),
    });
    expect(serverPid(dir)).toBeUndefined();
  });

  test('hands SIGTERM on, and stops the server when the command has ended', async () => {
    const waits =
      "process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1e6); console.log('up')";
    const { child, ended } = start(...script(waits));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 3 });
    expect(serverPid(dir)).toBeUndefined();
  });

  test('one that a signal kills counts as in a shell, and one that is not there', async () => {
    expect(await run(...script("process.kill(process.pid, 'SIGKILL')"))).toMatchObject({ status: 137 });
    expect(await run(dir, '--', 'no-such-command')).toMatchObject({
      status: 127,
      stderr: expect.stringContaining('no-such-command cannot be run: spawn no-such-command ENOENT\n'),
    });
  });

  test('is not run after a signal during the start', async () => {
    const { child, ended } = start(path.join(home, 'early'), '--', 'touch', path.join(home, 'ran'));
    await until(() => fs.existsSync(path.join(home, 'early')), 'the start');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 130, stdout: '' });
    expect(fs.existsSync(path.join(home, 'ran'))).toBe(false);
  });
});

test('a folder that cannot be used is named, with what to do about it', async () => {
  const file = path.join(home, 'file');
  fs.writeFileSync(file, '');
  expect(await run(file)).toEqual({
    ...{ status: 1, stdout: '' },
    stderr: `The embedded PostgreSQL in ${file} could not start: EEXIST: file already exists, mkdir '${file}'
A file, or a symbolic link that leads nowhere, is where a folder should be: remove it, or choose another data folder.
`,
  });
});

test.each([
  [[], 'Name one folder.'],
  [['a', 'b'], 'Name one folder.'],
  [['a', '--'], 'Name a command after --.'],
  [['a', '--port', '1'], "Unknown option '--port'."],
  [
    ['a', '--name', 'pg_x'],
    'The name "pg_x" is not one of at most 40 lower-case letters, digits and underscores that begins with a letter, and not with pg_.',
  ],
])('%j is a usage error', async (args, sentence) => {
  const stderr = `${sentence} See: embedded-postgres-run --help\n`;
  expect(await run(...args)).toEqual({ status: 2, stdout: '', stderr });
});

test('--help', async () => {
  const { status, stdout, stderr } = await run('--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Starts PostgreSQL on a folder.+\n\nUsage: embedded-postgres-run FOLDER/);
});
