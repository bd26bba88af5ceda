import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { waitFor } from './wait-for.js';

/*
 * What matters here happens between processes, so each user of the server is a process of its own, running
 * the compiled launcher: it reports one JSON line when it is up, and stops when its standard input ends.
 */
const SCRIPT = `
import { startEmbedded } from './embedded/index.js';
const say = (message) => console.log(JSON.stringify(message));
const onLog = (log) => say({ log });
const server = await startEmbedded({ dataDir: process.argv[2], flags: ['--fsync=off'], onLog }).catch((error) => {
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

const repo = path.resolve(import.meta.dirname, '../..');

/** A folder for the data of one test file, and programs that start or share embedded servers in it. */
export function useEmbeddedProcesses() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-embedded-'));
  const users: ChildProcess[] = [];

  beforeAll(() => {
    fs.chmodSync(home, 0o755); // the server's account must get in
    compileLauncher(home);
  });

  afterAll(async () => {
    for (const user of users) user.kill('SIGKILL');
    // Tests leave lock files behind that tell nothing.
    const isOver = (name: string) =>
      process.platform === 'linux' ? !hasServer(path.join(home, name)) : untilStopped(path.join(home, name));
    for (const name of fs.readdirSync(home)) {
      await waitFor(() => isOver(name), { what: `the server in ${name} to stop` }).catch(() => {});
    }
    fs.rmSync(home, { recursive: true, force: true });
  });

  function spawnUser(dir: string): ChildProcess {
    const user = spawn(process.execPath, [path.join(home, 'user.js'), dir], {
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
    const says = (what: RegExp) =>
      waitFor(() => said.match(what), { what: `${what} in ${said}`, intervalMs: 10 });
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

function compileLauncher(home: string): void {
  fs.writeFileSync(path.join(home, 'package.json'), '{ "type": "module" }');
  fs.symlinkSync(path.join(repo, 'node_modules'), path.join(home, 'node_modules'));
  const tsc = path.join(
    path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const options = {
    extends: path.join(repo, 'tsconfig.json'),
    include: [path.join(repo, 'db/embedded/index.ts')],
  };
  const compilerOptions = {
    noEmit: false,
    outDir: home,
    rootDir: path.join(repo, 'db'),
    types: ['node'],
    typeRoots: [path.join(repo, 'node_modules/@types')],
  };
  fs.writeFileSync(path.join(home, 'tsconfig.json'), JSON.stringify({ ...options, compilerOptions }));
  execFileSync(process.execPath, [tsc, '-p', home], { stdio: 'inherit' });
  fs.writeFileSync(path.join(home, 'user.js'), SCRIPT);
}

export const clusterIn = (dir: string): string => path.join(dir, 'postgres/cluster');
export const lockFileIn = (dir: string): string => path.join(clusterIn(dir), 'postmaster.pid');

/** The process id of the server, as its lock file says. */
export function serverPid(dir: string): number | undefined {
  const file = lockFileIn(dir);
  const isFile = fs.existsSync(file) && fs.lstatSync(file).isFile();
  return isFile ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

export const untilStopped = (dir: string): Promise<true> =>
  waitFor(() => serverPid(dir) === undefined, { what: `the server in ${dir} to stop` });

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
