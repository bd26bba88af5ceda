import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, vi } from 'vitest';

/*
 * What matters here happens between processes, so each user of the server is a process of its own, running
 * the compiled package: it reports one JSON line when it is up, and stops when its standard input ends.
 */
const SCRIPT = `
import { startPostgres } from ${JSON.stringify(new URL('../../dist/src/index.js', import.meta.url))};
const say = (message) => console.log(JSON.stringify(message));
const onLog = (log) => say({ log });
const server = await startPostgres(process.argv[1], { flags: ['--fsync=off'], onLog }).catch((error) => {
  say({ failed: error.message });
  process.exit(1);
});
say({ url: server.url, shared: server.shared, version: server.version, folder: server.folder });
process.stdin.resume().on('end', async () => {
  await server.stop();
  process.exit();
});
`;

export interface ServerReport {
  url: string;
  shared: boolean;
  version: string;
  folder: string;
}

/**
 * Waits until `look` returns something, longer than anything takes on a busy machine.
 *
 * @throws Error with `what` it waited for
 */
export const until = <T>(look: () => T | Promise<T>, what: string) =>
  vi.waitUntil(look, { timeout: 240_000, interval: 10 }).catch((error) => {
    throw new Error(`waited in vain for ${what}`, { cause: error });
  });

/** A folder for the data of one test file, and programs that start or share servers in it. */
export function useUsers() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'embedded-postgres-'));
  fs.chmodSync(home, 0o755); // the server's account must get in
  const users: ChildProcess[] = [];

  afterAll(async () => {
    for (const user of users) user.kill('SIGKILL');
    // Tests leave lock files behind that tell nothing.
    const isOver = (name: string) =>
      process.platform === 'linux' ? !hasServer(path.join(home, name)) : untilStopped(path.join(home, name));
    for (const name of fs.readdirSync(home)) {
      await until(() => isOver(name), `the server in ${name} to stop`).catch(() => {});
    }
    fs.rmSync(home, { recursive: true, force: true });
  });

  function spawnUser(dir: string): ChildProcess {
    const user = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT, dir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    users.push(user);
    return user;
  }

  function beginUser(dir: string) {
    const user = spawnUser(dir);
    const exited = new Promise<void>((resolve) => user.once('close', () => resolve()));
    let said = '';
    user.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    const says = (what: RegExp) => until(() => said.match(what), `${what} in ${said}`);
    const line = (field: string) => said.split('\n').find((text) => text.startsWith(`{"${field}"`)) ?? '';
    return {
      says,
      line,
      stop() {
        user.stdin?.end();
        return exited;
      },
      kill() {
        user.kill('SIGKILL');
        return exited;
      },
    };
  }

  return {
    home,
    spawnUser,
    async startUser(dir: string) {
      const user = beginUser(dir);
      await user.says(/"(url|failed)".*\n/);
      const failed = user.line('failed');
      if (failed) throw new Error(JSON.parse(failed).failed);
      return { ...user, up: JSON.parse(user.line('url')) as ServerReport };
    },
  };
}

export const clusterIn = (dir: string): string => path.join(dir, 'postgres/cluster');
export const lockFileIn = (dir: string): string => path.join(clusterIn(dir), 'postmaster.pid');

/** The process id of the server, as its lock file says. */
export function serverPid(dir: string): number | undefined {
  const file = lockFileIn(dir);
  const isFile = fs.existsSync(file) && fs.lstatSync(file).isFile();
  return isFile ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

export const untilStopped = (dir: string) =>
  until(() => serverPid(dir) === undefined, `the server in ${dir} to stop`);

const hasServer = (dir: string): boolean => fs.existsSync(clusterIn(dir)) && serversIn(dir).length > 0;

/** The servers whose data folder is this one, by the system's list of processes (Linux). */
export function serversIn(dir: string): number[] {
  const cluster = fs.realpathSync(clusterIn(dir));
  return fs.readdirSync('/proc').flatMap((pid) => {
    try {
      const isHere = /^\d+$/.test(pid) && fs.readlinkSync(`/proc/${pid}/cwd`) === cluster;
      const command = isHere ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
      return /^[^\0]*postgres\0/.test(command) ? [Number(pid)] : []; // its children have other titles
    } catch {
      return [];
    }
  });
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
