import { type Binaries, findBinaries } from './binaries.js';
import { clusterIn, connectionUrl, ensureCluster } from './cluster.js';
import { type DataFolder, prepareDataFolder, removeLeftovers } from './data-folder.js';
import { toStartError } from './errors.js';
import { assertName, DEFAULT_NAME } from './name.js';
import { type Account, childEnv } from './run-program.js';

export interface PrepareOptions {
  /**
   * Of the program that the database belongs to: its superuser, its server and, below /var/lib, folders of root have it.
   * Always the same for a folder. Default: `embedded_postgres`.
   */
  name?: string;
  /** What else can be done where there is no server to be had: the last sentence of errors. */
  alternative?: string;
}

export interface PreparedPostgres {
  /** The program to run, as `account` and with no environment but `env`. */
  postgres: string;
  /** Such as "18.4". */
  version: string;
  /** The database files, for its option -D. */
  cluster: string;
  account: Account;
  env: Record<string, string>;
  /** The connection URL of a server on that port. */
  urlOf(port: number): string;
}

/**
 * Makes the database files of a folder, where they are missing, and starts nothing: for who runs `postgres` otherwise.
 *
 * @throws EmbeddedPostgresError when that cannot be done; its message says what to do
 */
export async function preparePostgres(
  folder: string,
  options: PrepareOptions = {},
): Promise<PreparedPostgres> {
  const { binaries, ...place } = await prepare(folder, options);
  return {
    postgres: binaries.postgres,
    version: binaries.version,
    cluster: clusterIn(place.folder),
    account: place.account,
    env: childEnv,
    urlOf: (port) => connectionUrl(place, port),
  };
}

/** What `preparePostgres` does. */
export async function prepare(
  folder: string,
  { name = DEFAULT_NAME, alternative }: PrepareOptions,
): Promise<DataFolder & { binaries: Binaries }> {
  assertName(name);
  try {
    const place = await prepareDataFolder(folder, name);
    removeLeftovers(place.folder);
    const binaries = await findBinaries(place);
    await ensureCluster(place, binaries);
    return { ...place, binaries };
  } catch (error) {
    throw toStartError(error, { folder, name, alternative });
  }
}
