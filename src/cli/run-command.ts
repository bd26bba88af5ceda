import { ConfigError } from '../config.js';

/**
 * Runs a command line command and ends the process: status 0, 1 after a failure, 2 when it was called wrongly or
 * the configuration is at fault. `--help` prints `help`; commands take no other argument.
 */
export async function runCommand(help: string, command: () => Promise<void>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${help}\n`);
    return;
  }
  if (args.length > 0) {
    process.stderr.write(`Unknown argument: ${args[0]}\n\n${help}\n`);
    process.exit(2);
  }
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
}

/** What a person can act on: errors made for people by their message alone, others with their origin. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error.name.startsWith('Embedded')) return error.message;
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') {
    return 'The port is taken by another program. Set PORT to another one, or stop the other program.';
  }
  if (error instanceof AggregateError) return error.errors.map(explain).join('\n');
  if (code === 'ECONNREFUSED')
    return `The database cannot be reached (${error.message}). Check DATABASE_URL.`;
  return error.stack ?? error.message;
}
