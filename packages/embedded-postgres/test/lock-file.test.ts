import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preparePostgres } from '../src/index.js';
import { choosePort } from '../src/port.js';
import { runProgram } from '../src/run-program.js';
import { clusterIn, lockFileIn, query, serverPid, serversIn, until, useUsers } from './support/users.js';

const { home, startUser } = useUsers();

/** Data that nobody uses, copied for each test: making it takes longer than all else. */
const model = path.join(home, 'model');
/** A server that lives elsewhere. */
const elsewhere = path.join(home, 'elsewhere');
let neighbour: Awaited<ReturnType<typeof startUser>>;
let program: ReturnType<typeof spawn>;
let deadPid = 0;

beforeAll(async () => {
  const user = await startUser(model);
  await query(user.up.url, 'create table note as select 1 as n');
  await user.stop();
  copy(model, elsewhere);
  neighbour = await startUser(elsewhere);
  // Of the account that runs the server: PostgreSQL takes no other's for a server.
  const { uid, gid } = fs.statSync(clusterIn(model));
  program = spawn('sleep', ['3600'], { uid, gid, stdio: 'ignore' });
  const short = spawn('true');
  deadPid = short.pid ?? 0;
  await once(short, 'exit');
});

afterAll(async () => {
  program.kill('SIGKILL');
  await neighbour.stop();
});

/** With owners and modes. */
const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

function copyModel(name: string): string {
  const dir = path.join(home, name.replaceAll(/\W+/g, '-'));
  copy(model, dir);
  return dir;
}

function writeLock(dir: string, content: string | Buffer): void {
  const { uid, gid } = fs.statSync(clusterIn(dir));
  fs.writeFileSync(lockFileIn(dir), content, { mode: 0o600 });
  fs.chownSync(lockFileIn(dir), uid, gid);
}

/** As PostgreSQL writes it, but for what is given. */
function lockOf(dir: string, { pid = deadPid, port = '5432', memory = '  12345   6789' } = {}): string {
  return `${pid}\n${clusterIn(dir)}\n1\n${port}\n\n127.0.0.1\n${memory}\nready   \n`;
}

const onLinux = process.platform === 'linux';

const REMNANTS: [string, (dir: string) => string | Buffer][] = [
  ['nothing', () => ''],
  ['blank lines', () => ' \n\n\n'],
  ['garbage', () => 'garbage\nand more\nof it\nx\n'],
  ['binary garbage', () => Buffer.from(Array.from({ length: 4096 }, (_, place) => (place * 151) % 256))],
  ['20 MB of digits', () => '9'.repeat(20_000_000)],
  ['a process id alone', () => `${deadPid}`],
  ['what breaks off behind the process id', () => `${deadPid}\n/var/lib`],
  ['a process that has ended', (dir) => lockOf(dir)],
  ['another program', (dir) => lockOf(dir, { pid: program.pid ?? 0 })],
  ['this program', (dir) => lockOf(dir, { pid: process.pid })],
  ['the first process of the system', (dir) => lockOf(dir, { pid: 1 })],
  ['a server elsewhere', () => fs.readFileSync(lockFileIn(elsewhere))],
  ['a port that is none', (dir) => lockOf(dir, { port: 'garbage' })],
  ['shared memory that is none', (dir) => lockOf(dir, { memory: 'garbage' })],
  ['zero', () => '0\n'],
  ['a negative number', () => `-${program.pid}\n`],
  ['a number that no process has', () => '99999999999999999999\n'],
  ['a number beyond 31 bits', () => '2147483649\n'],
  ['a number and more', () => `${program.pid}x\n`],
];

describe('a lock file left without a server does not prevent a start', () => {
  // Where the system does not tell in which folder a program works, one whose name is not PostgreSQL's is enough.
  test.concurrent.each(REMNANTS)('with %s', async (what, content) => {
    const dir = copyModel(what);
    writeLock(dir, content(dir));
    const user = await startUser(dir);
    expect(user.up.shared).toBe(false);
    expect(await query(user.up.url, 'select n from note')).toEqual([{ n: 1 }]);
    await user.stop();
    expect(serverPid(dir)).toBeUndefined();
  });

  test.concurrent('that nobody may read', async () => {
    const dir = copyModel('unreadable');
    fs.writeFileSync(lockFileIn(dir), 'garbage');
    fs.chmodSync(lockFileIn(dir), 0);
    const user = await startUser(dir);
    expect(await query(user.up.url, 'select n from note')).toEqual([{ n: 1 }]);
    await user.stop();
  });

  test.concurrent.each([
    ['garbage', () => 'garbage'],
    ['the id of another program', (dir: string) => lockOf(dir, { pid: program.pid ?? 0 })],
  ])('and of two starters that find %s one starts', async (what, content) => {
    const dir = copyModel(`two starters ${what}`);
    writeLock(dir, content(dir));
    const all = await Promise.all([startUser(dir), startUser(dir)]);
    expect(all.filter((user) => !user.up.shared)).toHaveLength(1);
    expect(new Set(all.map((user) => user.up.url)).size).toBe(1);
    if (onLinux) expect(serversIn(dir)).toHaveLength(1);
    await Promise.all(all.map((user) => user.stop()));
  });
});

const DAMAGES: [string, (text: string) => string | undefined][] = [
  ['emptied', () => ''],
  ['garbage', () => 'garbage\n'],
  ['gone', () => undefined],
  ['cut behind the process id', (text) => `${text.split('\n')[0]}\n`],
  ['about another program', (text) => text.replace(/^\d+/, String(program.pid))],
  ['about a process that has ended', (text) => text.replace(/^\d+/, String(deadPid))],
  ['without a port', (text) => text.replace(/^((?:.*\n){3}).*/, '$1garbage')],
  ['without its shared memory', (text) => text.replace(/^((?:.*\n){6}).*/, '$1garbage')],
];

describe('the server of a folder is shared, and no second one is started, while its lock file is', () => {
  test.concurrent.each(DAMAGES)('%s', async (what, damage) => {
    const dir = copyModel(`damaged ${what}`);
    const first = await startUser(dir);
    const pid = serverPid(dir);
    const damaged = damage(fs.readFileSync(lockFileIn(dir), 'utf8'));
    if (damaged === undefined) fs.rmSync(lockFileIn(dir));
    else writeLock(dir, damaged);

    const second = await startUser(dir);
    expect(second.up).toMatchObject({ shared: true, url: first.up.url });
    if (onLinux) expect(serversIn(dir)).toEqual([pid]);
    expect(await query(second.up.url, 'select n from note')).toEqual([{ n: 1 }]);
    await first.stop();
    await second.stop();
    if (onLinux) expect(serversIn(dir)).toEqual([]);
  });
});

describe('what stands in the way is named, with what to do about it', () => {
  const NO_FILES: [string, (file: string) => unknown][] = [
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a named pipe', (file) => runProgram('mkfifo', [file])],
    ['a link', (file) => fs.symlinkSync('nowhere', file)],
  ];

  test.concurrent.each(NO_FILES)('%s', async (what, make) => {
    const dir = copyModel(`no file ${what}`);
    await make(lockFileIn(dir));
    await expect(startUser(dir)).rejects.toMatchObject({
      message: `The embedded PostgreSQL in ${dir}/postgres could not start: ${lockFileIn(dir)} is not a file\nMove it away, and start again.`,
    });
    expect(fs.lstatSync(lockFileIn(dir)).isFile()).toBe(false);
  });

  test.runIf(onLinux).each([
    ['whole', (text: string) => text],
    ['garbage', () => 'garbage'],
    ['gone', () => undefined],
  ])('a server that somebody else runs there, its lock file being %s', async (what, change) => {
    const dir = copyModel(`by hand ${what}`);
    const { postgres, cluster, account, env, urlOf } = await preparePostgres(dir);
    const port = await choosePort(path.dirname(cluster));
    const options = ['-D', cluster, '-p', String(port), '-c', 'unix_socket_directories='];
    const server = spawn(postgres, options, { ...account, env, cwd: '/', stdio: 'ignore' });
    await until(() => fs.existsSync(lockFileIn(dir)), 'its lock file');
    await until(() => fs.readFileSync(lockFileIn(dir), 'utf8').includes('ready'), 'that server');
    expect(await query(urlOf(port), 'select n from note')).toEqual([{ n: 1 }]);
    const changed = change(fs.readFileSync(lockFileIn(dir), 'utf8'));
    if (changed === undefined) fs.rmSync(lockFileIn(dir));
    else writeLock(dir, changed);

    await expect(startUser(dir)).rejects.toThrow(
      `process ${server.pid} (${postgres} -D ${clusterIn(dir)} -p ${port}`,
    );
    expect(serversIn(dir)).toEqual([server.pid]);
    server.kill('SIGINT');
    await once(server, 'exit');
  });
});
