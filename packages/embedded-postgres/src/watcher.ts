import { type ChildProcess, spawn } from 'node:child_process';
import type { DataFolder } from './data-folder.js';
import { childEnv } from './run-program.js';

/*
 * Runs PostgreSQL ("$@") and stops it when the users' pipe (descriptor 3) ends. Signals meant for our process
 * group must reach neither, and since the server inherits "ignored" until it has set up its own handlers, the
 * stop is repeated until it takes. SIGINT is PostgreSQL's fast, clean shutdown. The script must survive its
 * starter at every step: hence PIPE, and nothing between server and watcher.
 */
const SCRIPT = `
trap '' HUP INT TERM PIPE
"$@" </dev/null >&2 3<&- &
server=$!
{
  while read -r greeting; do
    case $greeting in hello-*) : >"$greeting" ;; esac
  done
  exec 3<&- </dev/null
  cd /
  while kill -INT $server; do sleep 1; done
} <&3 >/dev/null 2>&1 &
watcher=$!
echo $server
exec 3<&- >/dev/null
wait $server
kill -KILL $watcher
`;

/** Starts the server detached from our terminal and pipes, so that it can outlive us. */
export function spawnServer(
  { folder, account, name }: DataFolder,
  command: string[],
  usersPipe: number,
  log: number,
): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT, `${name}-postgres`, ...command], {
    ...account,
    cwd: folder,
    env: childEnv,
    detached: true,
    stdio: ['ignore', 'pipe', log, usersPipe],
  });
  child.unref();
  return child;
}

/** The server's own process id, which the script prints. */
export function readServerPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (line: Buffer) => resolve(Number(line.toString())));
    child.once('error', reject);
    child.once('exit', () => resolve(0));
  });
}
