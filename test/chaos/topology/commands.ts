import { spawn } from 'node:child_process';
import { LECTERN } from './lectern.js';

export interface CommandResult {
  /** Null where it was killed. */
  status: number | null;
  output: string;
  errors: string;
}

/** Runs an operator's command, as `['search', 'verify']`, beside the servers. */
export function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const child = spawn(process.execPath, [LECTERN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve) => {
    child.once('close', (status) => resolve({ status, output, errors }));
  });
}
