import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { toDocumentFailure } from '../ingestion-error.js';
import { exitWithParent } from './exit-with-parent.js';
import { MESSAGE_TYPES, OUTPUT_FD, type SandboxTask } from './protocol.js';

const PROGRESS_INTERVAL_MS = 200;

export interface TaskOutput {
  /** Reports how much of the file is read, from 0 to 1. */
  onProgress(fraction: number): void;
  /** Writes a part of the result; waits while the parent is busy with earlier ones. */
  onBatch(batch: unknown): Promise<void>;
}

/**
 * The main loop of a sandboxed process, which reads untrusted files: it has no secrets and is killed when it
 * exceeds its limits.
 *
 * @param handle reads a file; its result goes to the parent, as does what it throws
 */
export function serveTasks<Task extends SandboxTask, Result>(
  handle: (task: Task, output: TaskOutput) => Promise<Result>,
): void {
  const output = createWriteStream('', { fd: OUTPUT_FD });

  async function write(type: keyof typeof MESSAGE_TYPES, value: unknown): Promise<void> {
    if (!output.write(`${MESSAGE_TYPES[type]}${JSON.stringify(value)}\n`)) await once(output, 'drain');
  }

  async function serve(task: Task): Promise<void> {
    let reported = 0;
    const onProgress = (fraction: number) => {
      const now = performance.now();
      if (now - reported < PROGRESS_INTERVAL_MS) return;
      reported = now;
      output.write(`${MESSAGE_TYPES.progress}${fraction.toFixed(4)}\n`);
    };
    try {
      await write('done', await handle(task, { onProgress, onBatch: (batch) => write('batch', batch) }));
    } catch (error) {
      const { code, message, retryable } = toDocumentFailure(error, 'parsing');
      // The parent logs standard error.
      if (code === 'internal') console.error(error);
      await write('failed', { code, message, retryable });
    }
  }

  exitWithParent();
  process.on('message', (task: Task) => void serve(task));
  process.on('disconnect', () => process.exit());
}
