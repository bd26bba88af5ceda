import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What a parser made of a file. */
export type Outcome = { text: string; seconds: number } | { error: string };

/** A program that reads a request a line, as JSON, and answers each with an outcome, as JSON. */
export interface LineWorker {
  ask: (request: object) => Promise<Outcome>;
  stop: () => void;
}

/** Starts the program with the first request, and again after one that it did not answer in time. */
export function createLineWorker(command: string, args: string[], timeoutMs: number): LineWorker {
  let child: ChildProcess | undefined;
  let answer: ((outcome: Outcome) => void) | undefined;

  const start = (): ChildProcess => {
    const started = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = (message: string) => {
      if (child !== started) return;
      child = undefined;
      answer?.({ error: message });
    };
    started.on('error', (error) => ended(error.message));
    started.on('exit', (code, signal) => ended(`ended with ${signal ?? code}`));
    started.stdin?.on('error', () => {});
    if (started.stdout) createInterface(started.stdout).on('line', (line) => answer?.(JSON.parse(line)));
    return started;
  };

  return {
    ask(request) {
      child ??= start();
      const asked = child;
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          child = undefined;
          asked.kill('SIGKILL');
          answer?.({ error: `no answer within ${timeoutMs / 1000} s` });
        }, timeoutMs);
        answer = (outcome) => {
          clearTimeout(timer);
          answer = undefined;
          resolve(outcome);
        };
        asked.stdin?.write(`${JSON.stringify(request)}\n`);
      });
    },
    stop() {
      const running = child;
      child = undefined;
      running?.kill();
    },
  };
}
