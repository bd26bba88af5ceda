import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { atItsLine, type Commands } from './read-blocks.js';

/** A block that takes longer waits for something that does not come. */
const MOST_MS = 120_000;
/** A line that starts a server, which readers leave running in its terminal. */
const SERVER =
  /^(.*(?:npm start|npm run demo|npx lectern|lectern(?:\.js)? (?:serve|demo)\b[^#&;|]*?)) *&?( *#.*)?$/gm;
const IN_BACKGROUND =
  'guide_stop_server; set -m; $1 >"$guide_log" 2>&1 </dev/null & set +m; guide_await_server "$!" $2';
/** Stops the block at the first command that fails, as a reader would. */
const TRAP = `trap 'guide_is_announced "$?" || { guide_failure="$LINENO $?"; return 1; }' ERR`;

interface ShellOptions {
  /** Where it runs. */
  folder: string;
  /** Where the files of blocks are, and what they print. */
  files: string;
  env: NodeJS.ProcessEnv;
}

/** One bash for a page, in its folder, where blocks run one after another. */
export function startShell({ folder, files, env: given }: ShellOptions) {
  const shell = spawn('bash', ['--noprofile', '--norc', path.join(import.meta.dirname, 'shell.sh'), files], {
    cwd: folder,
    env: given,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
  });
  const commands = shell.stdio[3] as NodeJS.WritableStream;
  const answers = readline.createInterface({ input: shell.stdio[4] as NodeJS.ReadableStream });
  const ended = once(shell, 'exit');
  let env = given;

  return {
    /** The environment that the blocks so far have left. */
    get env() {
      return env;
    },

    /** @returns what the block printed; @throws Error with its failure */
    async run(block: Commands): Promise<string> {
      const file = path.join(files, `${block.line}.sh`);
      writeFileSync(file, atItsLine({ ...block, text: block.text.replace(SERVER, IN_BACKGROUND) }, TRAP));
      const printed = () => (existsSync(`${file}.out`) ? readFileSync(`${file}.out`, 'utf8') : '');
      commands.write(`${file} ${announcedStatuses(block).join(' ')}\n`);
      const answer = await Promise.race([
        once(answers, 'line', { signal: AbortSignal.timeout(MOST_MS) }).then(([line]) => line as string),
        ended.then(() => 'the shell has ended'),
      ]).catch(() => {
        killGroup(shell.pid, 'SIGKILL');
        return `did not end within ${MOST_MS / 1000} s`;
      });
      if (answer !== 'ok') throw new Error(describeFailure(block, answer, printed()));
      for (const status of announcedStatuses(block, false))
        if (!new RegExp(`\\b${status}\\b`).test(printed()))
          throw new Error(`${block.page}:${block.line}: no answer was ${status}\n${printed()}`);
      env = readEnvironment(`${file}.env`);
      return printed();
    },

    /** Stops the server and whatever else the blocks have left running. */
    async end(): Promise<void> {
      commands.end();
      await ended;
      killGroup(shell.pid, 'SIGTERM');
      const server = path.join(files, 'server.group');
      if (existsSync(server)) killGroup(Number(readFileSync(server, 'utf8')), 'SIGTERM');
    },
  };
}

/** The HTTP errors that a page says commands get: in comments, or in the output right after. */
function announcedStatuses({ text, output }: Commands, withOutput = true): string[] {
  const comments = text.match(/#.*/g)?.join('\n') ?? '';
  const answers = (withOutput && output?.text.match(/HTTP\/\S+ \d+/g)?.join('\n')) || '';
  return `${comments}\n${answers}`.match(/\b[45]\d\d\b/g) ?? [];
}

function describeFailure(block: Commands, answer: string, printed: string): string {
  const [, line, status] = /^(\d+) (\d+)$/.exec(answer) ?? [];
  if (!line) return `${block.page}:${block.line}: ${answer}\n${block.text}\nIt printed:\n${printed}`;
  const command = lastCommand(block.text.split('\n').slice(0, Number(line) - block.line + 1));
  return `${block.page}:${line}: ended with status ${status}\n${command}\nIt printed:\n${printed}`;
}

/** With the lines that it continues. */
function lastCommand(lines: string[]): string {
  let first = lines.length - 1;
  while (lines[first - 1]?.endsWith('\\')) first--;
  return lines.slice(first).join('\n');
}

const readEnvironment = (file: string): NodeJS.ProcessEnv =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );

function killGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (leader) process.kill(-leader, signal);
  } catch {
    // Nothing of it runs any more.
  }
}
