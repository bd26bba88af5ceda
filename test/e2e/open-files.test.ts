import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { readyAddress } from '../support/ready-address.js';
import { LECTERN } from '../support/run-command.js';

let data: Awaited<ReturnType<typeof makeDataDir>>;

beforeAll(async () => {
  data = await makeDataDir('open-files');
});
afterAll(() => data?.remove());

/** Begins the program where a thousand files can be open, and gives what it prints until it ends, or serves. */
async function printed(command: string, env: Record<string, string> = {}): Promise<string> {
  const script = 'ulimit -n 1000 && exec "$0" "$@"';
  const child = spawn('sh', ['-c', script, process.execPath, LECTERN, command], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: data.dataDir, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const piece of child.stdout) {
    text += piece;
    if (readyAddress(text)) child.kill('SIGTERM');
  }
  return text;
}

test.runIf(process.platform === 'linux')('warns of fewer open files than connections need', async () => {
  const sentence = 'fewer files can be open than connections need: raise ulimit -n, or lower MAX_CONNECTIONS';
  const lines = (await printed('serve')).split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 40, limit: 1000, needed: 10_224, msg: sentence }),
  );
  expect(await printed('serve', { MAX_CONNECTIONS: '700' })).not.toContain('fewer files');
  expect((await printed('doctor')).replace(/ +/g, ' ')).toContain(
    'warning open files 1,000 can be open here; with MAX_CONNECTIONS=10000 a server needs up to 10,224. Raise the limit (ulimit -n, or LimitNOFILE of systemd) where the server starts, or lower MAX_CONNECTIONS.\n',
  );
  expect((await printed('doctor', { MAX_CONNECTIONS: '700' })).replace(/ +/g, ' ')).toContain(
    'ok open files 1,000 can be open here; with MAX_CONNECTIONS=700 a server needs up to 924.\n',
  );
});
