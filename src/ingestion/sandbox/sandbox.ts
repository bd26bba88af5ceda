import type { Logger } from 'pino';
import { currentSpan, inSpan } from '../../tracing/spans.js';
import { IngestionError } from '../ingestion-error.js';
import {
  type FileLimits,
  SMALL_FILE_BYTES,
  TINY_FILE_BYTES,
  tooMuchTextError,
} from '../limits/file-limits.js';
import { createParserSlots } from './parser-slots.js';
import { readProcessUsage } from './process-usage.js';
import { MESSAGE_TYPES, type SandboxTask, type TaskFailure } from './protocol.js';
import { type Child, startChild } from './start-child.js';

export interface SandboxLimits {
  /** Resident bytes of one child. */
  memoryBytes: number;
  /** Of the clock, for one file of any size. */
  timeoutMs: number;
  /** Longest time without output. */
  inactivityTimeoutMs: number;
}

export interface SandboxHandlers {
  onProgress(fraction: number): void;
  /** A part of the result, as JSON; the child waits until it is processed. */
  onBatch(batch: string): Promise<void>;
  signal?: AbortSignal | undefined;
  /** Whose file it is: tenants are served round robin. */
  tenantId?: string | undefined;
}

interface LimitMonitor {
  recordActivity(): void;
  /** Pauses the inactivity timeout while the parent applies backpressure. */
  pause(): void;
  limitError(): IngestionError | undefined;
  end(): void;
}

export type Sandbox<Task extends SandboxTask, Result> = ReturnType<typeof createSandbox<Task, Result>>;

const WATCH_INTERVAL_MS = 250;
const IDLE_MS = 30_000;
/** A child is replaced after this many files, to bound memory leaks. */
const TASKS_PER_CHILD = 200;
const TASKS_PER_CHECK = 10;
/** Reserved slots for small files. */
const SMALL_FILE_SLOTS = 1;
/** CPU time after which a file keeps no other small one waiting: they take two seconds at most. */
const SMALL_FILE_PROCESSOR_MS = 3_000;
/** How many of these are read beside the others at a time. */
const OUTSTAYING_SLOTS = 2;
/** Children there may be at a time, besides those of `concurrency`. */
export const EXTRA_CHILDREN = SMALL_FILE_SLOTS + OUTSTAYING_SLOTS;
/** What a child may write, as JSON with the search terms: several times what it needs. */
const OUTPUT_PER_CHARACTER = 8;
const OUTPUT_PER_CHUNK = 8_192;

/**
 * Reads files in a pool of low-priority child processes. A child that exceeds its memory or time limit is
 * killed; only its file fails.
 *
 * @param program path of the child's program, a JavaScript file
 * @param concurrency how many files are read at a time, and one more that is small; small ones that take long are read
 * beside these, up to two. Others wait; tenants are served round robin
 */
export function createSandbox<Task extends SandboxTask, Result>({
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
  const slots = createParserSlots({
    general: concurrency,
    small: SMALL_FILE_SLOTS,
    outstaying: OUTSTAYING_SLOTS,
  });
  return { run, close };

  /**
   * @throws IngestionError saying why the file cannot be read; the reason of `signal` when it fires; what
   *   `onBatch` throws
   */
  async function run(task: Task, handlers: SandboxHandlers): Promise<Result> {
    return inSpan(
      'parse in a child process',
      { attributes: { 'lectern.bytes': task.size } },
      async (span) => {
        const isSmall = task.size <= SMALL_FILE_BYTES;
        const slot = await slots.acquire({ isSmall, tenantId: handlers.tenantId }, handlers.signal);
        span?.event('has a slot');
        try {
          return await read(task, handlers, slot.outstay);
        } finally {
          slot.release();
        }
      },
    );
  }

  async function read(task: Task, handlers: SandboxHandlers, onSlow: () => void): Promise<Result> {
    handlers.signal?.throwIfAborted();
    const used = takeIdle();
    const child = used ?? startChild(program, limits.memoryBytes);
    currentSpan()?.set({ 'process.pid': child.pid, 'lectern.sandbox.is_new': used === undefined });
    busy.add(child);
    const watch = monitorLimits(child, task.limits, { signal: handlers.signal, onSlow });
    try {
      child.send(task);
      const outcome = await readMessages(child, task.limits, handlers, watch);
      await returnToPool(child, task);
      return outcome;
    } catch (error) {
      if (error instanceof FileFailure) await returnToPool(child, task);
      else child.kill();
      // Unexpected errors are on the child's standard error.
      if (error instanceof FileFailure && error.code === 'internal') {
        log.error({ lastWords: child.stderrTail() }, 'a parser failed unexpectedly');
      }
      handlers.signal?.throwIfAborted();
      throw watch.limitError() ?? error;
    } finally {
      watch.end();
      busy.delete(child);
    }
  }

  async function readMessages(
    child: Child,
    { characters, chunks }: FileLimits,
    handlers: SandboxHandlers,
    watch: LimitMonitor,
  ): Promise<Result> {
    let room = OUTPUT_PER_CHARACTER * characters + OUTPUT_PER_CHUNK * chunks;
    for (;;) {
      const { value: line, done } = await child.lines.next();
      if (done) throw await exitError(child);
      watch.recordActivity();
      const json = line.slice(1);
      if (line[0] === MESSAGE_TYPES.progress) handlers.onProgress(Number(json));
      else if (line[0] === MESSAGE_TYPES.done) return JSON.parse(json) as Result;
      else if (line[0] === MESSAGE_TYPES.failed) throw new FileFailure(JSON.parse(json) as TaskFailure);
      else {
        room -= json.length;
        if (room < 0) throw tooMuchTextError();
        watch.pause();
        currentSpan()?.event('batch', { 'lectern.characters': json.length });
        await handlers.onBatch(json);
        watch.recordActivity();
      }
    }
  }

  async function exitError(child: Child): Promise<IngestionError> {
    const { code, signal } = await child.exit;
    const lastWords = child.stderrTail();
    if (/heap out of memory|heap limit/i.test(lastWords)) return tooMuchMemory(limits);
    log.warn({ code, signal, lastWords }, 'a parser process ended unexpectedly');
    const message =
      'Reading this file made the parser crash; open the file, save it again and upload that, or convert it to PDF.';
    // The kernel kills with SIGKILL when the machine's memory runs out, which may be another's fault.
    return new IngestionError('parser_crashed', message, signal === 'SIGKILL');
  }

  /** Kills the child when it exceeds a limit, and keeps the reason. */
  function monitorLimits(
    child: Child,
    file: FileLimits,
    { signal, onSlow }: { signal: AbortSignal | undefined; onSlow: () => void },
  ): LimitMonitor {
    const started = performance.now();
    let lastHeard = started;
    // It may have read other files. Small ones are done before this is read.
    let processorMsBefore: number | undefined;
    let verdict: IngestionError | undefined;
    const killBecause = (error: IngestionError) => {
      verdict ??= error;
      child.kill();
    };
    const onAbort = () => child.kill();
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setInterval(async () => {
      const now = performance.now();
      if (now - started > limits.timeoutMs || now - lastHeard > limits.inactivityTimeoutMs)
        killBecause(tooMuchTime());
      const { residentBytes, processorMs } = await readProcessUsage(child.pid);
      processorMsBefore ??= processorMs;
      const taken = processorMs - processorMsBefore;
      if (taken > SMALL_FILE_PROCESSOR_MS) onSlow();
      if (taken > file.processorMs) killBecause(tooMuchTime());
      else if (residentBytes > limits.memoryBytes) killBecause(tooMuchMemory(limits));
    }, WATCH_INTERVAL_MS);
    return {
      recordActivity: () => {
        lastHeard = performance.now();
      },
      pause: () => {
        lastHeard = Number.POSITIVE_INFINITY;
      },
      limitError: () => verdict,
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

  async function returnToPool(child: Child, { size }: SandboxTask): Promise<void> {
    child.tasks++;
    if (child.tasks >= TASKS_PER_CHILD || (await isTooLarge(child, size))) return child.kill();
    idle.add(child);
    child.idleTimer = setTimeout(() => {
      idle.delete(child);
      child.kill();
    }, IDLE_MS);
    child.idleTimer.unref();
    void child.exit.then(() => idle.delete(child));
  }

  /** After tiny files its memory is looked at now and then: that takes as long as reading them. */
  async function isTooLarge({ pid, tasks }: Child, size: number): Promise<boolean> {
    if (size <= TINY_FILE_BYTES && tasks % TASKS_PER_CHECK !== 0) return false;
    return (await readProcessUsage(pid)).residentBytes > limits.memoryBytes / 2;
  }

  /** Kills all children; their tasks fail. */
  async function close(): Promise<void> {
    const children = [...idle, ...busy];
    for (const child of children) {
      clearTimeout(child.idleTimer);
      child.kill();
    }
    await Promise.all(children.map((child) => child.exit));
  }
}

/** A failure caused by the file; the child can be reused. */
class FileFailure extends IngestionError {
  constructor({ code, message, retryable }: TaskFailure) {
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
