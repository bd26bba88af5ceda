import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findBinaries } from '../../packages/embedded-postgres/src/binaries.js';
import { prepareDataFolder } from '../../packages/embedded-postgres/src/data-folder.js';
import { runProgram } from '../../packages/embedded-postgres/src/run-program.js';
import { findFreePort } from '../../src/cli/demo/find-free-port.js';
import { waitFor } from './wait-for.js';

const USER = 'lectern';

/** A PostgreSQL server of a test, which may be killed. */
export interface TestServer {
  port: number;
  url: string;
  /** As if its machine lost its power. */
  kill(): Promise<void>;
  query(sql: string): Promise<pg.QueryResult>;
}

export type PostgresPair = Awaited<ReturnType<typeof startPostgresPair>>;

/** A primary and its standby, which has all that the primary has acknowledged: replication is synchronous. */
export async function startPostgresPair() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-test-pair-'));
  fs.chmodSync(home, 0o755); // PostgreSQL runs under another account than root
  const place = await prepareDataFolder(home, USER);
  const { folder, account } = place;
  const binaries = await findBinaries(place);
  const folderOf = (name: string) => path.join(folder, name);
  const processes: ChildProcess[] = [];

  async function start(name: string, port: number, settings: Record<string, string>): Promise<TestServer> {
    const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...settings };
    const options = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const child = spawn(binaries.postgres, ['-D', folderOf(name), '-p', String(port), ...options], {
      ...account,
      cwd: folder,
      stdio: ['ignore', 'ignore', fs.openSync(path.join(home, `${name}.log`), 'a')],
    });
    processes.push(child);
    const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
    await waitFor(() => query(url, 'select 1'), { what: `PostgreSQL as ${name}` });
    return { port, url, query: (sql) => query(url, sql), kill: () => end(child, 'SIGKILL') };
  }

  const owner = ['--pgdata', folderOf('primary'), '--username', USER, '--auth', 'trust'];
  const made = await runProgram(binaries.initdb, [...owner, '--encoding', 'UTF8', '--no-sync'], account);
  if (!made.ok) throw new Error(made.output);
  execFileSync('cp', ['-a', folderOf('primary'), folderOf('standby')]);
  fs.writeFileSync(path.join(folderOf('standby'), 'standby.signal'), '');
  const [here, there] = [await findFreePort(), await findFreePort()];
  const primary = await start('primary', here, { synchronous_standby_names: 'standby' });
  const standby = await start('standby', there, {
    primary_conninfo: `host=127.0.0.1 port=${here} user=${USER} application_name=standby`,
  });
  await waitFor(
    async () => (await primary.query('select from pg_stat_replication where sync_state = $$sync$$')).rowCount,
    { what: 'the standby to follow' },
  );

  return {
    primary,
    standby,
    /** The standby is the primary from now on. */
    promote: async () => void (await standby.query('select pg_promote()')),
    async stop() {
      await Promise.all(processes.map((child) => end(child, 'SIGQUIT')));
      fs.rmSync(folder, { recursive: true, force: true });
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await once(child, 'exit');
}
