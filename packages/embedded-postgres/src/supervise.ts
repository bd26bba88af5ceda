import fs from 'node:fs';
import { sleep } from './run-program.js';
import { connectOrLaunch, type ServerSetup, type ServerUse } from './server.js';
import { hasReader } from './user-pipe.js';

const CHECK_EVERY_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export interface Supervision {
  /** Stops supervising; returns our end of the user pipe if the server runs. */
  end(): Promise<number | undefined>;
}

/** Restarts the server after a crash: one of its users starts it, the others reconnect. */
export function supervise(
  site: ServerSetup,
  { userPipe: first }: ServerUse,
  log: (line: string) => void,
): Supervision {
  let user: number | undefined = first;
  let ended = false;
  let recovery: Promise<void> | undefined;

  const recover = async () => {
    for (let pause = 250; !ended; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const session = await connectOrLaunch(site, { keepPort: true });
        user = session.userPipe;
        return log(`PostgreSQL is back (${session.shared ? 'shared' : 'restarted'})`);
      } catch (error) {
        log((error as Error).message);
        await sleep(pause);
      }
    }
  };

  const timer = setInterval(() => {
    if (user === undefined || hasReader(user)) return;
    fs.closeSync(user);
    user = undefined;
    log('PostgreSQL stopped unexpectedly: restarting it');
    recovery = recover();
  }, CHECK_EVERY_MS);
  timer.unref();

  return {
    async end() {
      ended = true;
      clearInterval(timer);
      await recovery;
      return user;
    },
  };
}
