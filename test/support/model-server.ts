import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How it fails, as options of the program: `--fail-rate 0.5`, `--status 429`, `--delay-ms 2000`. */
export type Behaviour = Record<string, number>;

/**
 * Starts a program that serves a real model at `/v1/embeddings`.
 *
 * @param command the program, which takes `--port` and prints "listening on HOST:PORT"
 * @param port 0 for a free one
 */
export async function startModelServer(command: string, behaviour: Behaviour = {}, port = 0) {
  const [program = '', ...args] = command.split(' ');
  const options = Object.entries({ port, ...behaviour }).flatMap(([name, value]) => [
    `--${name}`,
    `${value}`,
  ]);
  const child = spawn(program, [...args, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const listening = await new Promise<number>((resolve, reject) => {
    let printed = '';
    child.once('error', reject);
    child.once('exit', (status) => reject(new Error(`${command} ended with ${status}: ${printed}`)));
    child.stdout.on('data', (data) => {
      printed += data;
      const [, found] = /listening on \S+:(\d+)/.exec(printed) ?? [];
      if (found) resolve(Number(found));
    });
  });
  return {
    port: listening,
    url: `http://127.0.0.1:${listening}/v1`,
    async close() {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
        await once(child, 'exit');
    },
  };
}
