import type { ParseArgsConfig } from 'node:util';
import type { Meilisearch } from 'meilisearch';
import { pino } from 'pino';
import { connectDatabase } from '../../../db/client.js';
import { assertNotNewer } from '../../../db/migrate.js';
import type { Database } from '../../../db/schema.js';
import { addMeaning } from '../../compose/meaning.js';
import { addReranking } from '../../compose/reranking.js';
import { startExistingDatabase } from '../../compose/start-database.js';
import { type Config, ConfigError, readConfig, type SearchServerConfig } from '../../config/config.js';
import type { ChunkIndex } from '../../search/chunk-index.js';
import { connectMeilisearch, type MeilisearchServer } from '../../search/meilisearch/connect.js';
import { createMeilisearchEngine } from '../../search/meilisearch/engine.js';
import { createSearchOperations } from '../../search/operations/create-operations.js';
import type { SearchOperations } from '../../search/operations/search-operations.js';
import { createPostgresEngine } from '../../search/postgres/engine.js';
import { type Given, runCommand } from '../run-command.js';
import { print } from '../shared/print.js';
import { explainFailure } from './explain-failure.js';

export type SearchConfig = Config & { meilisearch: SearchServerConfig };

/** What a command works with: the database and the search engine of the configuration. */
export interface SearchSession {
  config: Config;
  db: Database;
  index: ChunkIndex;
  operations: SearchOperations;
  /** Prints the result: one JSON document where that is wanted, else the text. */
  print(result: unknown, text: string): void;
}

/** What a command on the search server works with. */
export interface SearchServerSession extends SearchSession {
  server: MeilisearchServer;
}

/**
 * Runs a command on the search, whichever engine is configured, beside a running server or without one. Every such
 * command takes `--json`.
 *
 * @param prepare reads what the command was given, and returns the work; that gives the status to end with
 */
export function runSearchCommand<C extends ParseArgsConfig>(
  args: string[],
  help: string,
  config: C,
  prepare: (given: Given<C>) => (session: SearchSession) => Promise<number>,
): Promise<void> {
  return run(args, help, config, (given) => {
    const work = prepare(given);
    return (isJson) => inSession(readConfig(), isJson, work);
  });
}

/**
 * Runs a command on the search server, beside a running server or without one; it neither serves nor processes anything.
 * Every such command takes `--json`.
 *
 * @param prepare reads what the command was given, and returns the work; that gives the status to end with
 */
export function runSearchServerCommand<C extends ParseArgsConfig>(
  args: string[],
  help: string,
  config: C,
  prepare: (given: Given<C>) => (session: SearchServerSession) => Promise<number>,
): Promise<void> {
  return run(args, help, config, (given) => {
    const work = prepare(given);
    return (isJson) => {
      const searchConfig = readSearchConfig();
      const server = connectMeilisearch(searchConfig.meilisearch);
      return inSession(searchConfig, isJson, (session) => work({ ...session, server }));
    };
  });
}

function run<C extends ParseArgsConfig>(
  args: string[],
  help: string,
  config: C,
  prepare: (given: Given<C>) => (isJson: boolean) => Promise<number>,
): Promise<void> {
  const withJson = { ...config, options: { ...config.options, json: { type: 'boolean' as const } } };
  return runCommand(
    args,
    help,
    async (given) => {
      const isJson = (given.values as { json?: boolean }).json ?? false;
      // A request that nobody waits for any more would keep the process.
      process.exit(await prepare(given as unknown as Given<C>)(isJson));
    },
    withJson,
  );
}

async function inSession(
  config: Config,
  isJson: boolean,
  work: (session: SearchSession) => Promise<number>,
): Promise<number> {
  // The standard output is the result's.
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const database = await startExistingDatabase(config, log);
  const { db, close } = connectDatabase(database.url, { max: 4 });
  try {
    await assertNotNewer(database.url);
    const server = config.meilisearch && connectMeilisearch(config.meilisearch);
    const postgres = createPostgresEngine({ db });
    const words = server ? createMeilisearchEngine({ db, server, postgres }) : postgres;
    const stopping = new AbortController().signal;
    // What a search does without is part of its result.
    const quiet = log.child({}, { level: 'error' });
    const meaning = addMeaning(words, config, {
      searchDb: db,
      stopping,
      log: quiet,
      maxAwaited: Number.POSITIVE_INFINITY,
    });
    const index = addReranking(meaning, config, { searchDb: db, stopping, log: quiet });
    const operations = createSearchOperations({ db, index, server, fallback: config.searchFallback });
    return await work({ config, db, index, operations, print: printer(isJson) });
  } catch (error) {
    throw explainFailure(error);
  } finally {
    await close();
    await database.stop();
  }
}

/** @throws ConfigError where PostgreSQL searches */
export function readSearchConfig(): SearchConfig {
  const config = readConfig();
  const { meilisearch } = config;
  if (meilisearch) return { ...config, meilisearch };
  throw new ConfigError(
    'Set MEILI_URL to the search server that this command is for. Without one PostgreSQL searches; see: lectern search status',
  );
}

/** @throws ConfigError where there is a key, but none that may do everything */
export function requireAdmin({ adminClient }: MeilisearchServer): Meilisearch {
  if (adminClient) return adminClient;
  throw new ConfigError('Set MEILI_ADMIN_KEY: this changes more than the key in MEILI_API_KEY may.');
}

export const printer =
  (isJson: boolean) =>
  (result: unknown, text: string): void => {
    print(isJson ? `${JSON.stringify(result, null, 2)}\n` : text);
  };
