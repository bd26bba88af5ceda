import type { ParseArgsConfig } from 'node:util';
import { parseApiKey } from '../../auth/api-key-format.js';
import { DomainError } from '../../errors/errors.js';
import { type ApiKeys, createApiKeys } from '../../services/api-keys/api-keys.js';
import type { Actor } from '../../services/shared/actor.js';
import { createWriteTransaction } from '../../services/shared/write-transaction.js';
import { type Given, runCommand, UsageError } from '../run-command.js';
import { print, printError } from '../shared/print.js';
import { withMigratedDatabase } from '../shared/with-database.js';

/** Nobody asks who calls the command line: whoever may run it has the database. */
export const OPERATOR: Actor = { userId: undefined, address: 'command line' };

/**
 * Runs a command on the API keys, beside a running server or before there is one.
 *
 * @param prepare reads what the command was given, and returns the work
 * @param options.mayMake whether an embedded database is made where there is none
 */
export function runKeysCommand<C extends ParseArgsConfig>(
  args: string[],
  help: string,
  config: C,
  prepare: (given: Given<C>, positionals: string[]) => (apiKeys: ApiKeys) => Promise<void>,
  { mayMake = false } = {},
): Promise<void> {
  return runCommand(
    args,
    help,
    async (given) => {
      const work = prepare(given as unknown as Given<C>, given.positionals as string[]);
      await withApiKeys(work, mayMake).catch(addHint);
    },
    { ...config, allowPositionals: true },
  );
}

function addHint(error: unknown): never {
  if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
  throw new DomainError('not_found', `${error.message} The ids are in: lectern keys list`, error.path);
}

const withApiKeys = (work: (apiKeys: ApiKeys) => Promise<void>, mayMake: boolean): Promise<void> =>
  withMigratedDatabase({ connections: 2, mayMake }, ({ db }) => {
    const writeTransaction = createWriteTransaction(db);
    const maxPageSize = Number.POSITIVE_INFINITY;
    return work(createApiKeys({ db, writeTransaction, clock: () => new Date(), maxPageSize }));
  });

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
  printError(`${before}\n`);
  print(`${key}\n`);
  printError(`\n${after}`);
}

export const printJson = (result: unknown): void => {
  print(`${JSON.stringify(result, null, 2)}\n`);
};
