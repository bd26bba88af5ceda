import type { Logger } from 'pino';
import { IngestionError } from '../ingestion-error.js';
import { type Failure, LINES, type Outcome, type Task } from './protocol.js';
import { residentMemory } from './resident-memory.js';
import { type Child, startChild } from './start-child.js';

export interface SandboxLimits {
  /** Resident bytes of one child. */
  memoryBytes: number;
  /** For one file, from beginning to end. */
  timeoutMs: number;
  /** Without a sign of life. */
  silenceMs: number;
  /** Characters of chunks from one file, as JSON with their search terms. */
  outputCharacters: number;
}

export interface SandboxHandlers {
  onProgress(fraction: number): void;
  /** A JSON array of rows for `chunk_drafts`; the child waits until it is dealt with. */
  onChunks(batch: string): Promise<void>;
  signal?: AbortSignal | undefined;
}

interface Watch {
  heard(): void;
  /** The child is silent because it is made to wait. */
  pause(): void;
  verdict(): IngestionError | undefined;
  end(): void;
}

export type Sandbox = ReturnType<typeof createSandbox>;

const WATCH_INTERVAL_MS = 250;
const IDLE_MS = 30_000;
/** A child that has read this many files makes room for a fresh one, whatever leaked. */
const TASKS_PER_CHILD = 200;

/**
 * Makes chunks of files in child processes of low priority, which are used again while they behave. One that takes
 * too much memory or time is killed, and only its file suffers.
 *
 * @param program path of the child's program, a JavaScript file
 * @param concurrency how many files are read at a time; others wait, first come, first served
 */
export function createSandbox({
  program,
  concurrency,
  limits,
  log,
}: {
  program: string;
  concurrency: number;
  limits: SandboxLimits;
  log: Logger;
}) {
  const idle = new Set<Child>();
  const busy = new Set<Child>();
  const waiting: (() => void)[] = [];
  let free = concurrency;
  return { run, close };

  /**
   * @throws IngestionError saying why the file gives no chunks; the reason of `signal` when it fires; what
   *   `onChunks` throws
   */
  async function run(task: Task, handlers: SandboxHandlers): Promise<Outcome> {
    await takePlace();
    try {
      return await read(task, handlers);
    } finally {
      leavePlace();
    }
  }

  async function takePlace(): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leavePlace(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  async function read(task: Task, handlers: SandboxHandlers): Promise<Outcome> {
    handlers.signal?.throwIfAborted();
    const child = takeIdle() ?? startChild(program, limits.memoryBytes);
    busy.add(child);
    const watch = watchOver(child, handlers.signal);
    try {
      child.begin(task);
      const outcome = await follow(child, handlers, watch);
      await keep(child);
      return outcome;
    } catch (error) {
      if (error instanceof FileFailure) await keep(child);
      else child.kill();
      // What nobody foresaw has been told on the child's standard error.
      if (error instanceof FileFailure && error.code === 'internal') {
        log.error({ lastWords: child.lastWords() }, 'a parser failed unexpectedly');
      }
      handlers.signal?.throwIfAborted();
      throw watch.verdict() ?? error;
    } finally {
      watch.end();
      busy.delete(child);
    }
  }

  async function follow(child: Child, handlers: SandboxHandlers, watch: Watch): Promise<Outcome> {
    let characters = 0;
    for (;;) {
      const { value: line, done } = await child.lines.next();
      if (done) throw await deathOf(child);
      watch.heard();
      const json = line.slice(1);
      if (line[0] === LINES.progress) handlers.onProgress(Number(json));
      else if (line[0] === LINES.done) return JSON.parse(json) as Outcome;
      else if (line[0] === LINES.failed) throw new FileFailure(JSON.parse(json) as Failure);
      else {
        characters += json.length;
        if (characters > limits.outputCharacters) throw tooMuchOutput();
        watch.pause();
        await handlers.onChunks(json);
        watch.heard();
      }
    }
  }

  async function deathOf(child: Child): Promise<IngestionError> {
    const { code, signal } = await child.exit;
    const lastWords = child.lastWords();
    if (/heap out of memory|heap limit/i.test(lastWords)) return tooMuchMemory(limits);
    log.warn({ code, signal, lastWords }, 'a parser process ended unexpectedly');
    const message =
      'Reading this file made the parser crash; open the file, save it anew and upload that, or convert it to PDF.';
    // The kernel kills with SIGKILL when the machine's memory runs out, which may be another's fault.
    return new IngestionError('parser_crashed', message, signal === 'SIGKILL');
  }

  /** Kills the child when it breaks a limit, and knows why. */
  function watchOver(child: Child, signal: AbortSignal | undefined): Watch {
    const started = Date.now();
    let lastHeard = started;
    let verdict: IngestionError | undefined;
    const condemn = (error: IngestionError) => {
      verdict ??= error;
      child.kill();
    };
    const onAbort = () => child.kill();
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setInterval(async () => {
      const now = Date.now();
      if (now - started > limits.timeoutMs || now - lastHeard > limits.silenceMs) condemn(tooMuchTime());
      else if ((await residentMemory(child.pid)) > limits.memoryBytes) condemn(tooMuchMemory(limits));
    }, WATCH_INTERVAL_MS);
    return {
      heard: () => {
        lastHeard = Date.now();
      },
      pause: () => {
        lastHeard = Number.POSITIVE_INFINITY;
      },
      verdict: () => verdict,
      end: () => {
        clearInterval(timer);
        signal?.removeEventListener('abort', onAbort);
      },
    };
  }

  function takeIdle(): Child | undefined {
    const [child] = idle;
    if (child) {
      idle.delete(child);
      clearTimeout(child.idleTimer);
    }
    return child;
  }

  async function keep(child: Child): Promise<void> {
    child.tasks++;
    const isFull = (await residentMemory(child.pid)) > limits.memoryBytes / 2;
    if (child.tasks >= TASKS_PER_CHILD || isFull) return child.kill();
    idle.add(child);
    child.idleTimer = setTimeout(() => {
      idle.delete(child);
      child.kill();
    }, IDLE_MS);
    child.idleTimer.unref();
    void child.exit.then(() => idle.delete(child));
  }

  /** Ends all children; what they were reading is given up. */
  async function close(): Promise<void> {
    const children = [...idle, ...busy];
    for (const child of children) {
      clearTimeout(child.idleTimer);
      child.kill();
    }
    await Promise.all(children.map((child) => child.exit));
  }
}

/** The file's own fault: the child that says so is in order. */
class FileFailure extends IngestionError {
  constructor({ code, message, retryable }: Failure) {
    super(code, message, retryable);
  }
}

function tooMuchTime(): IngestionError {
  const message = 'Reading this file takes too long; split it into smaller ones and upload those.';
  return new IngestionError('timeout', message);
}

function tooMuchMemory({ memoryBytes }: SandboxLimits): IngestionError {
  const limit = `${Math.floor(memoryBytes / 2 ** 20)} MiB`;
  const message = `Reading this file takes more than the ${limit} of memory that are allowed; split it into smaller ones and upload those.`;
  return new IngestionError('out_of_memory', message);
}

function tooMuchOutput(): IngestionError {
  const message =
    'This file holds more text than can be processed; split it into smaller ones and upload those.';
  return new IngestionError('too_large', message);
}
