import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface CommandResult {
  /** Null where it was killed. */
  status: number | null;
  output: string;
  errors: string;
}

const LECTERN = fileURLToPath(new URL('../../src/cli/lectern.js', import.meta.url));

/** Runs an operator's command, as `['search', 'verify']`, beside the server. */
export function runCommand(args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [LECTERN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return {
    result: new Promise<CommandResult>((resolve) => {
      child.once('close', (status) => resolve({ status, output, errors }));
    }),
    kill: () => void child.kill('SIGKILL'),
  };
}
