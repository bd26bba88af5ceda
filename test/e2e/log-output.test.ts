import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LECTERN } from '../support/run-command.js';

const SERVER = `${process.execPath} ${LECTERN}`;
const SCRIPT = 'script';
const CTRL_C = '\u0003';
/** Gives a program a terminal, and shows what stands there. */
const hasScript = spawnSync(SCRIPT, ['--version']).status === 0;

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-log-'));
  await chmod(dataDir, 0o755); // started by root, the database runs under an account that must get in
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** All that a server prints from its start to its end, without the words that welcome. */
async function linesOf(
  [command = '', ...args]: string[],
  stop: (child: ChildProcess) => void,
): Promise<string[]> {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: process.env.PATH, TERM: 'xterm', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'debug' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server did not start:\n${printed}`)));
    child.stdout?.on('data', (data) => {
      printed += data;
      if (printed.includes('Stop it with')) resolve();
    });
  });
  const [, address] = /address\s+(\S+)/.exec(printed) ?? [];
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  await expect.poll(() => printed).toContain('/healthz');
  stop(child);
  await once(child, 'exit');
  const welcome = /\r?\nLectern is ready[\s\S]*Stop it with Ctrl-C\.\r?\n/;
  expect(printed).toMatch(welcome);
  return printed
    .replace(welcome, '')
    .split(/\r?\n/)
    .filter((line) => line !== '');
}

test('in a pipe each line of the log is JSON', async () => {
  const lines = await linesOf([process.execPath, LECTERN], (child) => child.kill('SIGTERM'));
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 20, msg: 'request', method: 'GET', route: '/healthz', status: 200 }),
  );
}, 120_000);

test.skipIf(!hasScript)(
  'on a terminal it is for people',
  async () => {
    const terminal = [SCRIPT, '--quiet', '--return', '--flush', '--command', SERVER, '/dev/null'];
    const lines = await linesOf(terminal, ({ stdin }) => stdin?.write(CTRL_C));
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    const plain = lines.map((line) => line.replace(escapes, ''));
    expect(plain.join('\n')).not.toMatch(/^\{/m);
    expect(plain).toContainEqual(
      expect.stringMatching(/^\[\d\d:\d\d:\d\d\] DEBUG: request \{.*"route":"\/healthz"/),
    );
    expect(lines).not.toEqual(plain);
  },
  120_000,
);
