import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverPid, serversIn } from '../../packages/embedded-postgres/test/support/users.js';
import { readyAddress } from '../support/ready-address.js';
import { LECTERN } from '../support/run-command.js';

let dataDir: string;

beforeAll(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-stop-'));
  fs.chmodSync(dataDir, 0o755); // started by root, the database runs under an account that must get in
});

afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

function startProgram(command: string, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [LECTERN, command], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Starts a server, and waits until it is ready. */
async function serve(env?: Record<string, string>) {
  const server = startProgram('serve', env);
  const exited = once(server, 'exit');
  let printed = '';
  for await (const text of server.stdout ?? []) {
    printed += text;
    if (readyAddress(printed)) break;
  }
  return { server, exited, address: readyAddress(printed) };
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
    const { server, exited } = await serve();
    server.kill(signal);
    expect(await exited).toEqual([0, null]);
    expectFree();
  }
});

test('after the signal /readyz says so while requests are still answered, and a request under way ends', async () => {
  const { server, exited, address } = await serve({
    SHUTDOWN_DELAY_SECONDS: '3',
    SHUTDOWN_TIMEOUT_SECONDS: '120',
  });
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  // The body of an upload that goes on while the server stops.
  let end: () => void = () => {};
  const body = new ReadableStream({
    start(controller) {
      const encode = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      encode('{"tenant_id":"acme","tenant_unit_id":"legal","user_id":"ann",');
      end = () => {
        encode('"topic":"Under way"}');
        controller.close();
      };
    },
  });
  const underWay = fetch(`${address}/admin/api/v2/conversations`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': 'application/json' },
  } as RequestInit);
  // Once another request of the same process is answered, this one has been sent.
  await fetch(`${address}/healthz`);
  server.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(503);
  const readiness = await fetch(`${address}/readyz`);
  expect(await readiness.json()).toEqual({
    status: 'stopping',
    reason: 'The server stops; ask another one.',
  });
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  await expect
    .poll(() =>
      fetch(`${address}/healthz`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(false);
  end();
  const answer = await underWay;
  expect([answer.status, (await answer.json()).topic]).toEqual([201, 'Under way']);
  expect(await exited).toEqual([0, null]);
  expectFree();
});

test('a Ctrl-C that arrives twice, as npm passes it on, is one; a later one ends the server at once', async () => {
  const { server, exited, address } = await serve({ SHUTDOWN_DELAY_SECONDS: '60' });
  const status = async () => (await fetch(`${address}/readyz`)).status;
  server.kill('SIGINT');
  await expect.poll(status).toBe(503);
  server.kill('SIGINT');
  expect(await status()).toBe(503);
  const again = () => {
    server.kill('SIGINT');
    return server.signalCode;
  };
  await expect.poll(again).toBe('SIGINT');
  expect(await exited).toEqual([null, 'SIGINT']);
});
