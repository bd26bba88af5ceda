import { toStartError } from './errors.js';
import { type PrepareOptions, prepare } from './prepare-postgres.js';
import { releaseServer } from './release-server.js';
import { connectOrLaunch } from './server.js';
import { supervise } from './supervise.js';

export interface EmbeddedPostgres {
  /** Of the superuser, for the database `postgres`. */
  url: string;
  /** True when another process had started the server. */
  shared: boolean;
  /** Such as "18.4". */
  version: string;
  /** Where the data really is: not below the given folder when the server's account cannot reach that. */
  folder: string;
  /** Releases the server. The last process waits until it has stopped; the folder is free then. */
  stop(): Promise<void>;
}

export interface StartOptions extends PrepareOptions {
  /** Further arguments of `postgres`, such as `--fsync=off`; they count for the process that starts it. */
  flags?: string[];
  /** Gets a sentence when the server was started or shared, crashed, and is back. */
  onLog?: (line: string) => void;
}

/**
 * Starts PostgreSQL on a local folder, which is made where it is missing, or shares the server that another process runs
 * there. It outlives the process that started it and stops after its last user, even one killed with SIGKILL.
 *
 * @param folder may hold other things: the database is in `postgres` below
 * @throws EmbeddedPostgresError when there is no server to be had; its message says what to do
 */
export async function startPostgres(folder: string, options: StartOptions = {}): Promise<EmbeddedPostgres> {
  const { flags = [], alternative, onLog: log = () => {} } = options;
  const began = Date.now();
  const site = { ...(await prepare(folder, options)), flags, alternative };
  const session = await connectOrLaunch(site).catch((error) => {
    throw toStartError(error, site);
  });
  const { version } = site.binaries;
  log(
    `PostgreSQL ${version} ${session.shared ? 'shared' : 'started'} in ${site.folder}, ${Date.now() - began} ms`,
  );

  const supervision = supervise(site, session, log);
  const stop = async () => {
    const user = await supervision.end();
    if (user !== undefined) await releaseServer(site.folder, user);
  };
  let stopped: Promise<void> | undefined;
  return {
    url: session.url,
    shared: session.shared,
    version,
    folder: site.folder,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
