import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { EmbeddedPostgresError } from './errors.js';
import { assertName } from './name.js';
import { type EmbeddedPostgres, startPostgres } from './start-postgres.js';

const OPTIONS = {
  flag: { type: 'string', multiple: true },
  name: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const USAGE = `Starts PostgreSQL on a folder, which is made where it is missing, or shares the server that runs there.

Usage: embedded-postgres-run FOLDER [options]
       embedded-postgres-run FOLDER [options] -- COMMAND [ARGUMENT …]

Prints the connection URL, and runs until it is interrupted; or runs COMMAND with the URL in DATABASE_URL, and ends with it.

  --flag FLAG    a further argument of postgres, such as --flag=--fsync=off; may be repeated
  --name NAME    the superuser, always the same for a folder; default: embedded_postgres

Ends with 0, with the status of COMMAND, with 1 when the server cannot start, or with 2 after a usage error.
`;

/**
 * The command `embedded-postgres-run`.
 *
 * @returns the exit code
 */
export async function runEmbeddedPostgres(args: string[]): Promise<number> {
  const given = readArguments(args);
  if (given === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  if (typeof given === 'string') {
    process.stderr.write(`${given} See: embedded-postgres-run --help\n`);
    return 2;
  }
  const { folder, command, ...options } = given;
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interruption.abort(signal));
  let server: EmbeddedPostgres | undefined;
  try {
    server = await startPostgres(folder, { ...options, onLog: (line) => process.stderr.write(`${line}\n`) });
    if (command) return await runCommand(command, server.url, interruption.signal);
    process.stdout.write(`${server.url}\n`);
    await fired(interruption.signal);
    return 0;
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    await server?.stop();
  }
}

/** The arguments, `help`, or a sentence that says what is wrong with them. */
function readArguments(all: string[]) {
  const end = all.indexOf('--');
  const [args, command] = end < 0 ? [all] : [all.slice(0, end), all.slice(end + 1)];
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) return 'help';
    const [folder] = positionals;
    if (!folder || positionals.length > 1) return 'Name one folder.';
    if (command?.length === 0) return 'Name a command after --.';
    const { flag: flags = [], name } = values;
    if (name !== undefined) assertName(name);
    return { folder, command, flags, ...(name !== undefined && { name }) };
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\.?\n|\.$/);
    return `${sentence}.`;
  }
}

/** Runs a command to its end, and gives its status, as shells count it. */
async function runCommand([program = '', ...args]: string[], url: string, interruption: AbortSignal) {
  if (interruption.aborted) return 128 + constants.signals[interruption.reason as NodeJS.Signals];
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } });
  // A terminal sends SIGINT to the command itself.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise<number>((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${program} cannot be run: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}

/** Waits for a signal, for which alone a process would not live on. */
async function fired(interruption: AbortSignal): Promise<void> {
  const living = setInterval(() => {}, 2 ** 30);
  if (!interruption.aborted) await once(interruption, 'abort');
  clearInterval(living);
}
