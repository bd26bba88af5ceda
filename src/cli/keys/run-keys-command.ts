import type { ParseArgsConfig } from 'node:util';
import { pino } from 'pino';
import { connectDatabase } from '../../../db/client.js';
import { migrateToLatest } from '../../../db/migrate.js';
import { parseApiKey } from '../../auth/api-key-format.js';
import { readConfig } from '../../config.js';
import { type ApiKeys, createApiKeys } from '../../services/api-keys/api-keys.js';
import type { Actor } from '../../services/shared/actor.js';
import { createWriteTransaction } from '../../services/shared/write-transaction.js';
import { startDatabase } from '../../start-database.js';
import { type Given, runCommand, UsageError } from '../run-command.js';

/** Nobody asks who calls the command line: whoever may run it has the database. */
export const OPERATOR: Actor = { userId: undefined, address: 'command line' };

/**
 * Runs a command on the API keys, beside a running server or before there is one.
 *
 * @param prepare reads what the command was given, and returns the work
 */
export function runKeysCommand<C extends ParseArgsConfig>(
  args: string[],
  help: string,
  config: C,
  prepare: (given: Given<C>, positionals: string[]) => (apiKeys: ApiKeys) => Promise<void>,
): Promise<void> {
  return runCommand(
    args,
    help,
    async (given) => {
      await withApiKeys(prepare(given as unknown as Given<C>, given.positionals as string[]));
    },
    { ...config, allowPositionals: true },
  );
}

async function withApiKeys(work: (apiKeys: ApiKeys) => Promise<void>): Promise<void> {
  const config = readConfig();
  // The standard output is the result's.
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const database = await startDatabase(config, log);
  try {
    await migrateToLatest(database.url);
    const { db, close } = connectDatabase(database.url, { max: 2 });
    const apiKeys = createApiKeys({
      db,
      writeTransaction: createWriteTransaction(db),
      clock: () => new Date(),
      maxPageSize: Number.POSITIVE_INFINITY,
    });
    await work(apiKeys).finally(close);
  } finally {
    await database.stop();
  }
}

/**
 * The id of the key that a command is for. Whoever finds a whole key somewhere may give that.
 *
 * @throws UsageError unless there is one
 */
export function readKeyId([given, ...more]: string[]): string {
  if (given === undefined || more.length > 0) throw new UsageError('Name one key, by its id.');
  return parseApiKey(given)?.id ?? given;
}

/** Prints a new secret alone on the standard output, so that scripts can take it, and around it what people need. */
export function printSecret(key: string, { before, after }: { before: string; after: string }): void {
  process.stderr.write(`${before}\n`);
  process.stdout.write(`${key}\n`);
  process.stderr.write(`\n${after}`);
}

export const printJson = (result: unknown): void => {
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
};
