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

/** All that a server prints from its start to its end. */
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
      if (/Stop it with|"Lectern is ready"/.test(printed)) resolve();
    });
  });
  const [, address] = /address\W+(http:[^\s"]+)/.exec(printed) ?? [];
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  await expect.poll(() => printed).toContain('/healthz');
  stop(child);
  await once(child, 'exit');
  return printed.split(/\r?\n/).filter((line) => line !== '');
}

test('in a pipe each line is JSON, from the start to the end', async () => {
  const lines = await linesOf([process.execPath, LECTERN], (child) => child.kill('SIGTERM'));
  const logged = lines.map((line) => JSON.parse(line));
  const request = { level: 20, msg: 'request', method: 'GET', route: '/healthz', status: 200 };
  expect(logged).toContainEqual(expect.objectContaining({ ...request, address: '127.0.0.1' }));
  const about = { role: 'all', data: dataDir, access: expect.any(String), database: expect.any(String) };
  expect(logged).toContainEqual(expect.objectContaining({ level: 30, msg: 'Lectern is ready', ...about }));
  expect(logged).toContainEqual(expect.objectContaining({ msg: 'the server stops', signal: 'SIGTERM' }));
  expect(logged.map(({ msg }) => msg)).toContain('the server has stopped');
}, 120_000);

test.each([
  ['a full disk', '> /dev/full'],
  ['a pipe that nobody reads', '| true'],
])('a process ends although its log goes to %s', async (_, target) => {
  const log = JSON.stringify(path.resolve('dist/src/logging/log.js'));
  // Several lines, of which most wait when the process ends.
  const program = `
    import { createLog } from ${log};
    const log = createLog({ level: 'info' });
    setTimeout(() => {
      for (let i = 0; i < 5; i++) log.info('a line');
      process.exit(7);
    }, 100);`;
  const command = `node --input-type=module -e "$PROGRAM" ${target}; exit \${PIPESTATUS[0]}`;
  const env = { PATH: process.env.PATH, PROGRAM: program };
  const { status, signal } = spawnSync('bash', ['-c', command], { env, timeout: 60_000 });
  expect({ status, signal }).toEqual({ status: 7, signal: null });
});

test.skipIf(!hasScript)(
  'on a terminal it is for people',
  async () => {
    const terminal = [SCRIPT, '--quiet', '--return', '--flush', '--command', SERVER, '/dev/null'];
    const lines = await linesOf(terminal, ({ stdin }) => stdin?.write(CTRL_C));
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    expect(lines.join('\n')).toMatch(/^Lectern is ready$[\s\S]*^Stop it with Ctrl-C\.$/m);
    const plain = lines.map((line) => line.replace(escapes, ''));
    expect(plain.join('\n')).not.toMatch(/^\{/m);
    expect(plain).toContainEqual(
      expect.stringMatching(/^\[\d\d:\d\d:\d\d\] DEBUG: request \{.*"route":"\/healthz"/),
    );
    expect(lines).not.toEqual(plain);
  },
  120_000,
);
