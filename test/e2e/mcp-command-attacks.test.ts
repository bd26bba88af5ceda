import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { useApp } from '../support/app.js';
import { LECTERN } from '../support/run-command.js';

/* The built command and a client that does harm. */

const app = useApp();
const MIB = 2 ** 20;
const ping = (id: number, params: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"ping","params":${params}}\n`;

function start(url: string) {
  const args = ['--max-old-space-size=200', LECTERN, 'mcp', '--url', url];
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const failure = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

test('a line without an end, and one that the server refuses, are answered with errors, and so is the rest', async () => {
  const child = start(app.address);
  const [stdout, stderr, ended] = [text(child.stdout), text(child.stderr), once(child, 'close')];
  for (let sent = 0; sent < 300; sent++) {
    if (!child.stdin.write('x'.repeat(MIB))) await once(child.stdin, 'drain');
  }
  child.stdin.write('\n');
  child.stdin.write(ping(1, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`));
  for (let id = 2; id <= 200; id++) child.stdin.write(ping(id, '{}'));
  child.stdin.end('{"jsonrpc":');
  expect(await ended).toEqual([0, null]);
  const answers = (await stdout)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toHaveLength(202);
  expect(answers).toEqual(
    expect.arrayContaining([
      failure(null, -32_600, 'A message has at most 16 MiB.'),
      failure(null, -32_700, 'This is no JSON.'),
      failure(1, -32_600, expect.stringMatching(/50,?000/)),
      ...Array.from({ length: 199 }, (_, n) => ({ jsonrpc: '2.0', id: n + 2, result: {} })),
    ]),
  );
  expect(await stderr).toBe('');
});

test('a client that reads no standard error any more gets answers', async () => {
  const child = start('http://127.0.0.1:9');
  child.stderr.destroy();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const id of [1, 2]) {
    child.stdin.write(ping(id, '{}'));
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ id, error: { code: -32_000 } });
  }
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('it ends once the client reads no standard output any more', async () => {
  const child = start(app.address);
  child.stdout.destroy();
  child.stdin.write(ping(1, '{}'));
  expect(await once(child, 'close')).toEqual([141, null]);
});
