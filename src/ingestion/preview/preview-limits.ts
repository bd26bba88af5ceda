import type { SandboxLimits } from '../sandbox/sandbox.js';

/** Of the source, below what a document may have. */
export const MAX_PREVIEW_BYTES = 20 * 2 ** 20;
/** A larger file is not sent whole for a preview, in bytes: the engine would read all of it. */
export const MAX_PREVIEW_FILE = 2 * 2 ** 20;
/** Pages that an extraction engine reads for a preview. */
export const MAX_PREVIEW_PICTURES = 5;
/** So many chunks are counted; a preview ends there. */
export const MAX_COUNTED_CHUNKS = 1_000;
/** With the time that a preview waits for others. */
export const PREVIEW_TIMEOUT_MS = 60_000;

/** Files that are read at once, and one more that is small. */
export const PREVIEW_CONCURRENCY = 1;
/** What the process that reads a file may take. */
export const PREVIEW_SANDBOX_LIMITS: SandboxLimits = {
  memoryBytes: 512 * 2 ** 20,
  timeoutMs: PREVIEW_TIMEOUT_MS,
  inactivityTimeoutMs: PREVIEW_TIMEOUT_MS,
};
export const PREVIEW_FILE_LIMITS = { chunks: 20_000, processorMs: 30_000 };
