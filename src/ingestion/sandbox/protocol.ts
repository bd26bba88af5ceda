import type { ChunkingOptions } from '../../../db/schema.js';
import type { FileLimits } from '../limits/file-limits.js';

/** What the parent sends over IPC: a file to be read. One at a time. */
export interface SandboxTask {
  path: string;
  /** Bytes. */
  size: number;
  /** What reading it may take. */
  limits: FileLimits;
}

/** A file to be made into chunks. */
export interface ChunkingTask extends SandboxTask {
  tenantId: string;
  fileName?: string | undefined;
  mediaType?: string | undefined;
  /** What the chunks' metadata call the document. */
  documentName: string;
  /** ISO 8601. */
  lastModified: string;
  chunking: ChunkingOptions;
}

export interface ChunkingResult {
  subType: string;
  mediaType: string;
  title?: string | undefined;
  chunkCount: number;
}

export interface TaskFailure {
  code: string;
  message: string;
  retryable: boolean;
}

/**
 * What the child writes to file descriptor 3: lines, each a letter and JSON. `chunks` is an array of rows for
 * `chunk_drafts`; `done` or `failed` is the last line of a task.
 */
export const MESSAGE_TYPES = { chunks: 'c', progress: 'p', done: 'd', failed: 'f' } as const;

export const OUTPUT_FD = 3;
