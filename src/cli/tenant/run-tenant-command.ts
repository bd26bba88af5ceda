import type { ParseArgsConfig } from 'node:util';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import type { Config } from '../../config/config.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { type Given, runCommand, UsageError } from '../run-command.js';
import { openCommandStorage } from '../shared/command-storage.js';
import { printError } from '../shared/print.js';
import { withMigratedDatabase } from '../shared/with-database.js';

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

const inSession = (work: (session: TenantSession) => Promise<number>): Promise<number> =>
  withMigratedDatabase({ connections: 4 }, ({ config, db, log }) => {
    const storage = openCommandStorage(config);
    printError(`Files: ${storage.location}\n`);
    return work({ config, db, storage, log });
  });
