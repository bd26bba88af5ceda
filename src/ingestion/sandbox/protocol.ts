import type { IngestionError } from '../ingestion-error.js';
import type { FileLimits } from '../limits/file-limits.js';

/** What the parent sends over IPC: a file to be read. One at a time. */
export interface SandboxTask {
  path: string;
  /** Bytes. */
  size: number;
  /** What reading it may take. */
  limits: FileLimits;
}

export interface TaskFailure {
  code: IngestionError['code'];
  message: string;
  retryable: boolean;
}

/**
 * What the child writes to file descriptor 3: lines, each a letter and JSON. `batch` is a part of the result; `done`,
 * with the rest of it, or `failed` is the last line of a task.
 */
export const MESSAGE_TYPES = { batch: 'b', progress: 'p', done: 'd', failed: 'f' } as const;

export const OUTPUT_FD = 3;
