import { findBinaries } from './binaries.js';
import { ensureCluster } from './cluster.js';
import { prepareDataFolder, removeLeftovers, SYSTEM_FOLDER } from './data-folder.js';
import { toStartError } from './errors.js';
import { releaseServer } from './release-server.js';
import { connectOrLaunch, type ServerSetup } from './server.js';
import { supervise } from './supervise.js';

export interface EmbeddedPostgres {
  url: string;
  /** True when another process had started the server. */
  shared: boolean;
  /** Such as "18.4". */
  version: string;
  /** Where the data really is: not below `dataDir` when the server's account cannot reach that. */
  folder: string;
  /** Releases the server. The last process waits until it has stopped; the folder is free then. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** Further arguments of `postgres`, such as `--fsync=off`; they count for the process that starts it. */
  flags?: string[];
  onLog?: (line: string) => void;
  /** The server crashed; it is being restarted on the same port. */
  onUnexpectedExit?: () => void;
}

/**
 * Starts PostgreSQL on a local folder, or shares the server that another process runs there. It outlives the
 * process that started it and stops after its last user, even one killed with SIGKILL.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.onLog ?? (() => {});
  const began = Date.now();
  const site = await prepare(options).catch((error) => {
    throw toStartError(error, options.dataDir);
  });
  const session = await connectOrLaunch(site).catch((error) => {
    throw toStartError(error, site.folder);
  });
  const { version } = site.binaries;
  log(
    `PostgreSQL ${version} ${session.shared ? 'shared' : 'started'} in ${site.folder}, ${Date.now() - began} ms`,
  );

  const supervision = supervise(site, session, log, options.onUnexpectedExit);
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

async function prepare(options: EmbeddedOptions): Promise<ServerSetup> {
  const place = await prepareDataFolder(options.dataDir);
  removeLeftovers(place.folder);
  const binaries = await findBinaries(place.account ? SYSTEM_FOLDER : place.folder, place.account);
  await ensureCluster(place, binaries);
  return { ...place, binaries, flags: options.flags ?? [] };
}
