import { ConfigError } from '../config.js';

/** Runs a command. A failure ends the process with status 1, and 2 when the configuration is at fault. */
export async function runToExit(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const isExpected = error instanceof ConfigError || (error as { expected?: boolean }).expected;
    process.stderr.write(`${isExpected ? (error as Error).message : ((error as Error).stack ?? error)}\n`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
}
