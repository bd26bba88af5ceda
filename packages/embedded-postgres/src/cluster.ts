import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import { changeOwner, type DataFolder } from './data-folder.js';
import { lastLines } from './errors.js';
import { runProgram } from './run-program.js';

export const clusterIn = (folder: string): string => path.join(folder, 'cluster');
/** The password lies within the cluster, so that one rename puts both in place. */
const passwordIn = (cluster: string, name: string): string => path.join(cluster, `${name}.password`);

/** Creates the database files unless they are there; refuses those of another major version. */
export async function ensureCluster(place: DataFolder, binaries: Binaries): Promise<void> {
  const cluster = clusterIn(place.folder);
  if (!fs.existsSync(cluster)) await createCluster(place, binaries);

  const versionFile = path.join(cluster, 'PG_VERSION');
  if (!fs.existsSync(versionFile)) throw new Error(`${cluster} is not a PostgreSQL data folder`);
  const found = fs.readFileSync(versionFile, 'utf8').trim();
  const ours = binaries.version.split('.')[0];
  if (found !== ours) {
    throw new Error(`its data was initialized by PostgreSQL version ${found}, this is version ${ours}`);
  }
}

/** The connection URL of the server on `port`. */
export function connectionUrl({ folder, name }: DataFolder, port: number): string {
  const password = fs.readFileSync(passwordIn(clusterIn(folder), name), 'utf8').trim();
  // sslmode keeps a PGSSLMODE of the environment from asking this server for TLS.
  return `postgres://${name}:${password}@127.0.0.1:${port}/postgres?sslmode=disable`;
}

/** Works in a folder beside, then renames: a process killed half-way leaves nothing to repair. */
async function createCluster({ folder, account, name }: DataFolder, binaries: Binaries): Promise<void> {
  const workshop = fs.mkdtempSync(path.join(folder, `initdb-${process.pid}-`));
  const cluster = path.join(workshop, 'cluster');
  const password = path.join(workshop, 'password');
  try {
    fs.writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 });
    changeOwner(password, account);
    changeOwner(workshop, account);
    const { ok, output } = await runProgram(binaries.initdb, initdbOptions(cluster, name, password), account);
    if (!ok) throw new Error(`initdb failed: ${lastLines(output)}`);
    fs.renameSync(password, passwordIn(cluster, name));
    fs.renameSync(cluster, clusterIn(folder));
    syncFolder(folder);
  } catch (error) {
    if (!fs.existsSync(clusterIn(folder))) throw error; // else another process was first
  } finally {
    fs.rmSync(workshop, { recursive: true, force: true });
  }
}

function initdbOptions(cluster: string, superuser: string, passwordFile: string): string[] {
  // With plain C as character type, trigrams of Chinese text come out empty.
  const characters = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  return [
    ...['--pgdata', cluster, '--username', superuser, '--pwfile', passwordFile],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ...['--locale', 'C', '--lc-ctype', characters],
    ...['--set', 'timezone=UTC', '--set', 'log_timezone=UTC'],
    // In the data folder, not /dev/shm, which is tiny in containers and where crashes would leave remains.
    ...['--set', 'dynamic_shared_memory_type=mmap'],
  ];
}

/** Makes the rename outlive a power cut. */
function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, 'r');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}
