import type { Logger } from 'pino';
import { type FileLimits, SMALL_FILE_BYTES, tooMuchText } from '../file-limits.js';
import { IngestionError } from '../ingestion-error.js';
import { processUsage } from './process-usage.js';
import { type Failure, LINES, type Outcome, type SandboxTask, type Task } from './protocol.js';
import { createReaderSlots } from './reader-slots.js';
import { type Child, startChild } from './start-child.js';

export interface SandboxLimits {
  /** Resident bytes of one child. */
  memoryBytes: number;
  /** Of the clock, for one file of any size. */
  timeoutMs: number;
  /** Without a sign of life. */
  silenceMs: number;
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

export type Sandbox = ReturnType<typeof createSandbox<Task, Outcome>>;

const WATCH_INTERVAL_MS = 250;
const IDLE_MS = 30_000;
/** A child that has read this many files makes room for a fresh one, whatever leaked. */
const TASKS_PER_CHILD = 200;
/** The lane of small files. */
const SMALL_FILE_SLOTS = 1;
/** What a child may write, as JSON with the search terms: several times what it needs. */
const OUTPUT_PER_CHARACTER = 8;
const OUTPUT_PER_CHUNK = 8_192;

/**
 * Makes chunks of files in child processes of low priority, which are used again while they behave. One that takes
 * too much memory or time is killed, and only its file suffers.
 *
 * @param program path of the child's program, a JavaScript file
 * @param concurrency how many files are read at a time, and one more that is small; others wait, first come, first
 *   served
 */
export function createSandbox<Input extends SandboxTask = Task, Output = Outcome>({
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
  const slots = createReaderSlots({ general: concurrency, small: SMALL_FILE_SLOTS });
  return { run, close };

  /**
   * @throws IngestionError saying why the file gives no chunks; the reason of `signal` when it fires; what
   *   `onChunks` throws
   */
  async function run(task: Input, handlers: SandboxHandlers): Promise<Output> {
    const release = await slots.acquire(task.size <= SMALL_FILE_BYTES, handlers.signal);
    try {
      return await read(task, handlers);
    } finally {
      release();
    }
  }

  async function read(task: Input, handlers: SandboxHandlers): Promise<Output> {
    handlers.signal?.throwIfAborted();
    const child = takeIdle() ?? startChild(program, limits.memoryBytes);
    busy.add(child);
    const watch = watchOver(child, task.limits, handlers.signal);
    try {
      child.begin(task);
      const outcome = await follow(child, task.limits, handlers, watch);
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

  async function follow(
    child: Child,
    { characters, chunks }: FileLimits,
    handlers: SandboxHandlers,
    watch: Watch,
  ): Promise<Output> {
    let room = OUTPUT_PER_CHARACTER * characters + OUTPUT_PER_CHUNK * chunks;
    for (;;) {
      const { value: line, done } = await child.lines.next();
      if (done) throw await deathOf(child);
      watch.heard();
      const json = line.slice(1);
      if (line[0] === LINES.progress) handlers.onProgress(Number(json));
      else if (line[0] === LINES.done) return JSON.parse(json) as Output;
      else if (line[0] === LINES.failed) throw new FileFailure(JSON.parse(json) as Failure);
      else {
        room -= json.length;
        if (room < 0) throw tooMuchText();
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
  function watchOver(child: Child, file: FileLimits, signal: AbortSignal | undefined): Watch {
    const started = Date.now();
    let lastHeard = started;
    // It may have read other files.
    const before = processUsage(child.pid);
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
      const { residentBytes, processorMs } = await processUsage(child.pid);
      if (processorMs - (await before).processorMs > file.processorMs) condemn(tooMuchTime());
      else if (residentBytes > limits.memoryBytes) condemn(tooMuchMemory(limits));
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
    const isFull = (await processUsage(child.pid)).residentBytes > limits.memoryBytes / 2;
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
