import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;
const PATIENCE_MS = 180_000;

export interface ProgramOptions {
  /** Such as "api 1"; its log is named after it. */
  name: string;
  command: [string, ...string[]];
  env: NodeJS.ProcessEnv;
  /** Made when it is missing; the program runs there. */
  folder: string;
  /** For the log. */
  logs: string;
  /** Whose process it is; our own where left out. */
  account?: { uid: number; gid: number } | undefined;
  isHealthy: () => Promise<boolean>;
  /** How long it stays away after it has ended. */
  pauseMs: () => number;
  /** Before each start. */
  prepare?: () => Promise<void>;
}

export interface Supervised {
  name: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Starts it, and again whenever it has ended, as systemd or Kubernetes would. */
  start(): void;
  /** @throws Error when it does not answer in time */
  untilHealthy(): Promise<void>;
  /**
   * Ends it without any warning. False while it does not run.
   *
   * @param awayMs how long it stays away then, instead of the usual pause
   */
  kill(awayMs?: number): boolean;
  /** Ends it for good. */
  stop(signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM'): Promise<void>;
  /** Ends that nobody had asked for: of programs that had not answered yet, and of those that had. */
  readonly ends: { early: number; late: string[] };
}

/** A program that is brought back whenever it ends. */
export function supervise(options: ProgramOptions): Supervised {
  const { name, command, env, folder, logs, account, isHealthy, pauseMs, prepare } = options;
  const [file, ...args] = command;
  const log = path.join(logs, `${name.replaceAll(' ', '-')}.log`);
  const ends = { early: 0, late: [] as string[] };
  let child: ChildProcess | undefined;
  let isKilled = false;
  let killedFor: number | undefined;
  let isOver = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!isOver) {
      await prepare?.();
      await mkdir(folder, { recursive: true });
      const output = openSync(log, 'a');
      const started = spawn(file, args, { env, cwd: folder, ...account, stdio: ['ignore', output, output] });
      closeSync(output);
      const exited = once(started, 'exit');
      [isKilled, killedFor] = [false, undefined];
      child = started;
      const watch = { wasHealthy: false };
      void watchStart(started, watch);
      const [code, signal] = await exited;
      child = undefined;
      if (isOver) return;
      if (!isKilled && watch.wasHealthy) ends.late.push(`${name} ended by itself (${signal ?? code})`);
      else if (!isKilled) ends.early++;
      await delay(killedFor ?? pauseMs());
    }
  }

  async function watchStart(started: ChildProcess, watch: { wasHealthy: boolean }): Promise<void> {
    while (started === child && !watch.wasHealthy) {
      watch.wasHealthy = await isHealthy();
      if (!watch.wasHealthy) await delay(POLL_MS);
    }
  }

  return {
    name,
    ends,
    get pid() {
      return child?.pid;
    },
    start() {
      running = run();
    },
    async untilHealthy() {
      const deadline = performance.now() + PATIENCE_MS;
      while (!(child && (await isHealthy()))) {
        if (performance.now() > deadline) throw new Error(`${name} does not start; ${log} says why.`);
        await delay(POLL_MS);
      }
    },
    kill(awayMs) {
      if (!child || isKilled) return false;
      [isKilled, killedFor] = [true, awayMs];
      return child.kill('SIGKILL');
    },
    async stop(signal) {
      isOver = true;
      child?.kill(signal);
      const deadline = setTimeout(() => child?.kill('SIGKILL'), 20_000);
      await running;
      clearTimeout(deadline);
    },
  };
}
