import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startPostgres } from '../src/index.js';
import { query, serverPid, serversIn, useUsers } from './support/users.js';

const { home, startUser } = useUsers();
const FLAGS = ['--fsync=off'];

/** The parent of a process, as the system's list has it. */
const parentOf = (pid: number) =>
  Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);

test('a folder can be copied and removed as soon as its last user has left, again and again', async () => {
  const dir = path.join(home, 'again');
  for (let time = 0; time < 10; time++) {
    const server = await startPostgres(dir, { flags: FLAGS });
    await query(server.url, `create table t${time} as select generate_series(1, 20000) as n`);
    await server.stop();
    if (process.platform === 'linux') expect(serversIn(dir)).toEqual([]);
    expect(serverPid(dir)).toBeUndefined();

    const moved = path.join(home, `copy-${time}`);
    fs.cpSync(path.join(dir, 'postgres/cluster'), moved, { recursive: true });
    fs.rmSync(moved, { recursive: true });
  }
  fs.rmSync(dir, { recursive: true });
  expect(fs.existsSync(dir)).toBe(false);
});

test.runIf(process.platform === 'linux')('the last user waits, also for a watcher that is slow', async () => {
  const dir = path.join(home, 'slow');
  const server = await startPostgres(dir, { flags: FLAGS });
  const pid = serverPid(dir) ?? 0;
  const watchers = fs
    .readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one) && Number(one) !== pid)
    .map(Number)
    .filter((one) => fs.existsSync(`/proc/${one}`) && parentOf(one) === parentOf(pid));
  expect(watchers).toHaveLength(1);
  for (const watcher of watchers) {
    process.kill(watcher, 'SIGSTOP');
    spawn('sh', ['-c', `sleep 2; kill -CONT ${watcher}`], { stdio: 'ignore' });
  }
  await server.stop();
  expect(serversIn(dir)).toEqual([]);
  expect(serverPid(dir)).toBeUndefined();
});

test('does not wait if other users remain', async () => {
  const dir = path.join(home, 'others');
  const other = await startUser(dir);
  const server = await startPostgres(dir, { flags: FLAGS });
  expect(server.shared).toBe(true);
  await server.stop();
  expect(await query(other.up.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  await other.stop();
  expect(serverPid(dir)).toBeUndefined();
});

test('the last user waits where the lock file is damaged', async () => {
  const dir = path.join(home, 'damaged');
  const server = await startPostgres(dir, { flags: FLAGS });
  fs.writeFileSync(path.join(dir, 'postgres/cluster/postmaster.pid'), 'garbage');
  await server.stop();
  if (process.platform === 'linux') expect(serversIn(dir)).toEqual([]);
  fs.rmSync(dir, { recursive: true });
});
