import { fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { lowerPriority } from './lower-priority.js';
import { readLines } from './read-lines.js';

export interface Child {
  readonly pid: number;
  /** What it writes; ends with the process. */
  readonly lines: AsyncGenerator<string>;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** The end of what it wrote to its standard error. */
  stderrTail(): string;
  /** How many files it has read. */
  tasks: number;
  idleTimer: NodeJS.Timeout | undefined;
  send(task: object): void;
  kill(): void;
}

/** Batches are far smaller; the server parses some of them. */
const MAX_LINE = 16 * 2 ** 20;
const MAX_LAST_WORDS = 4096;
/** Environment variables passed on; all others may hold secrets. */
const ENVIRONMENT = ['TZ', 'LANG', 'LC_ALL', 'TMPDIR'];

/** Starts a process that reads files. Its heap is bounded by V8; what lies outside it, by whoever watches. */
export function startChild(program: string, memoryBytes: number): Child {
  const heapMegabytes = Math.max(64, Math.floor((memoryBytes / 2 ** 20) * 0.8));
  const child = fork(program, {
    env: childEnvironment(),
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'ipc'],
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-MAX_LAST_WORDS);
  });
  const exit: Child['exit'] = new Promise((resolve) => {
    child.once('error', (error) => {
      lastWords = error.message;
      resolve({ code: null, signal: null });
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  return {
    pid: child.pid ?? 0,
    lines: readLines(child.stdio[3] as Readable, MAX_LINE),
    exit,
    stderrTail: () => lastWords,
    tasks: 0,
    idleTimer: undefined,
    // A child that is gone already shows in its lines.
    send: (task) => void child.send(task, () => {}),
    kill: () => void child.kill('SIGKILL'),
  };
}

function childEnvironment(): Record<string, string | undefined> {
  // biome-ignore lint/style/noProcessEnv: not read as configuration, only handed on
  return Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]]));
}
