import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../config/config.js';
import { explainError } from './shared/explain-error.js';
import { didYouMean } from './shared/nearest.js';
import { print, printError } from './shared/print.js';
import { UsageError } from './shared/usage-error.js';

export { UsageError } from './shared/usage-error.js';

/** What a command was given: `values` by option, and `positionals`. */
export type Given<C extends ParseArgsConfig> = ReturnType<typeof parseArgs<C>>;

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
    print(`${help}\n`);
    return;
  }
  try {
    await command(readArguments(args, config));
  } catch (error) {
    printError(`${explainError(error)}\n`);
    if (error instanceof UsageError) printError(seeHelp(help));
    process.exit(error instanceof ConfigError || error instanceof UsageError ? 2 : 1);
  }
}

/** Of the command whose help it is. */
function seeHelp(help: string): string {
  const [, command = 'lectern'] = /^Usage: (lectern(?: [a-z]+)*)/m.exec(help) ?? [];
  return `See: ${command} --help\n`;
}

function readArguments<C extends ParseArgsConfig>(args: string[], config?: C): Given<C> {
  try {
    return parseArgs({ ...config, args }) as Given<C>;
  } catch (error) {
    // What follows the first sentence is advice on dashes.
    const [what = ''] = (error as Error).message.split(/\. |\n/);
    const [, unknown = ''] = /^Unknown option '(--\w[^']*)'/.exec(what) ?? [];
    const known = [...Object.keys(config?.options ?? {}), 'help'].map((name) => `--${name}`);
    throw new UsageError(`${what}.${unknown && didYouMean(unknown, known)}`);
  }
}
