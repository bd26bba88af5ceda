import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ParseArgsConfig } from 'node:util';
import { type Logger, pino } from 'pino';
import { connectDatabase } from '../../../db/client.js';
import { migrateToLatest } from '../../../db/migrate.js';
import type { Database } from '../../../db/schema.js';
import { type Config, readConfig } from '../../config.js';
import { startDatabase } from '../../start-database.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { openStorage } from '../../storage/open-storage.js';
import { type Given, runCommand, UsageError } from '../run-command.js';

/** What a command on a tenant works with. */
export interface TenantSession {
  config: Config;
  db: Database;
  storage: FileStorage;
  log: Logger;
}

/**
 * Runs a command on a tenant, beside a running server or without one.
 *
 * @param prepare reads what the command was given, and returns the work; that gives the status to end with
 */
export function runTenantCommand<C extends ParseArgsConfig>(
  args: string[],
  help: string,
  config: C,
  prepare: (given: Given<C>, tenantId: string) => (session: TenantSession) => Promise<number>,
): Promise<void> {
  return runCommand(
    args,
    help,
    async (given) => {
      const tenantId = readTenantId(given.positionals as string[]);
      const status = await inSession(prepare(given as unknown as Given<C>, tenantId));
      // A request that nobody waits for any more would keep the process.
      process.exit(status);
    },
    { ...config, allowPositionals: true },
  );
}

/** @throws UsageError unless there is one; the empty tenant has the files that were received without a key */
function readTenantId([given = '', ...more]: string[]): string {
  if (given === '' || more.length > 0) throw new UsageError('Name one tenant.');
  return given;
}

async function inSession(work: (session: TenantSession) => Promise<number>): Promise<number> {
  const config = readConfig();
  // The standard output is the result's.
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const database = await startDatabase(config, log);
  try {
    await migrateToLatest(database.url);
    const { db, close } = connectDatabase(database.url, { max: 4 });
    const onDisk = pathToFileURL(path.join(config.dataDir, 'files')).href;
    const storage = openStorage(config.storageUrl ?? onDisk, { s3Endpoint: config.s3Endpoint });
    return await work({ config, db, storage, log }).finally(close);
  } finally {
    await database.stop();
  }
}
