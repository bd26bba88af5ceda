import { readFileSync } from 'node:fs';
import type { Config } from './config.js';

/** For stored files, parser processes and other servers. */
const OTHERS = 200;

/** How many files this process may have open, and how many a server needs; undefined where the limit is not known. */
export function readOpenFiles(config: Config): { limit: number; needed: number } | undefined {
  const limit = readLimit();
  if (limit === undefined) return undefined;
  return { limit, needed: config.connectionLimits.total + countDatabaseConnections(config) + OTHERS };
}

/** Connections of a server's pools. Workers have one more, for claiming jobs. */
export function countDatabaseConnections({ role, databasePools }: Config): number {
  const { requests, search, background } = databasePools;
  if (role === 'worker') return background + 1;
  return requests + search + background + (role === 'all' ? 1 : 0);
}

/** Linux alone tells; Node.js has raised it as far as it may. */
function readLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
