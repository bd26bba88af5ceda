import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface CommandResult {
  /** Null where it was killed. */
  status: number | null;
  output: string;
  errors: string;
}

/** Runs an operator's command, as `search-verify`, beside the server. */
export function runCommand(name: string, env: NodeJS.ProcessEnv, args: string[] = []) {
  const program = fileURLToPath(new URL(`../../src/cli/${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
