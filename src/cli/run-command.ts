import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../config.js';
import { DomainError } from '../errors.js';

/** What a command was given: `values` by option, and `positionals`. */
export type Given<C extends ParseArgsConfig> = ReturnType<typeof parseArgs<C>>;

/** A command that was used wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Runs a command and ends the process: status 0, 1 after a failure, 2 when it was used wrongly or the configuration
 * is at fault. A command with another result sets `process.exitCode`. `--help` prints `help`.
 *
 * @param args what follows the command's name
 * @param config the options and arguments it takes, as `parseArgs` wants them; none where absent
 */
export async function runCommand<C extends ParseArgsConfig>(
  args: string[],
  help: string,
  command: (given: Given<C>) => Promise<void>,
  config?: C,
): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${help}\n`);
    return;
  }
  try {
    await command(readArguments(args, config));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${help}\n`);
    process.exit(error instanceof ConfigError || error instanceof UsageError ? 2 : 1);
  }
}

function readArguments<C extends ParseArgsConfig>(args: string[], config?: C): Given<C> {
  if (!config && args.length > 0) throw new UsageError(`Unknown argument: ${args[0]}`);
  try {
    return parseArgs({ ...config, args }) as Given<C>;
  } catch (error) {
    // What follows the first sentence is advice on dashes.
    const [what] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${what}.`);
  }
}

/** PostgreSQL knows no such table, column or function. */
const UNKNOWN_THING = /^(42P01|42703|42883)$/;

/** What a person can act on: errors made for people by their message alone, others with their origin. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isForPeople(error)) return error.message;
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') {
    return 'The port is taken by another program. Set PORT to another one, or stop the other program.';
  }
  if (error instanceof AggregateError) return error.errors.map(explain).join('\n');
  if (code === 'ECONNREFUSED')
    return `The database cannot be reached (${error.message}). Check DATABASE_URL.`;
  if (code && UNKNOWN_THING.test(code))
    return `The database lacks what this version needs (${error.message}). Run: npx lectern migrate`;
  return error.stack ?? error.message;
}

const isForPeople = (error: Error): boolean =>
  error instanceof ConfigError ||
  error instanceof UsageError ||
  error instanceof DomainError ||
  error.name.startsWith('Embedded');
