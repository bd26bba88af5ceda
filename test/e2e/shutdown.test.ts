import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverPid, serversIn } from '../support/embedded-processes.js';
import { LECTERN } from '../support/run-command.js';

let dataDir: string;

beforeAll(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-stop-'));
  fs.chmodSync(dataDir, 0o755); // started by root, the database runs under an account that must get in
});

afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

function startProgram(command: string): ChildProcess {
  return spawn(process.execPath, [LECTERN, command], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function expectFree(): void {
  expect(serverPid(dataDir)).toBeUndefined();
  if (process.platform === 'linux') expect(serversIn(dataDir)).toEqual([]);
  fs.cpSync(dataDir, `${dataDir}-copy`, { recursive: true, filter: (file) => !file.endsWith('users') });
  fs.rmSync(`${dataDir}-copy`, { recursive: true });
}

test('the data folder is free as soon as a command has ended, or the server after a signal', async () => {
  const command = startProgram('migrate');
  expect(await once(command, 'exit')).toEqual([0, null]);
  expectFree();

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const server = startProgram('serve');
    const exited = once(server, 'exit');
    for await (const printed of server.stdout ?? []) if (String(printed).includes('Stop it with')) break;
    server.kill(signal);
    expect(await exited).toEqual([0, null]);
    expectFree();
  }
  fs.rmSync(dataDir, { recursive: true });
});
