import type { FileLimits } from '../limits/file-limits.js';
import type { SandboxLimits } from '../sandbox/sandbox.js';

/** What the sitemap protocol allows of one file, as it is sent and decompressed. */
export const MAX_FILE_BYTES = 50 * 2 ** 20;

/** Files that are read at once; further ones wait. */
export const SITEMAP_CONCURRENCY = 2;

/** What the process that reads a file of a sitemap may take. The largest that the protocol allows takes a tenth. */
export const SITEMAP_SANDBOX_LIMITS: SandboxLimits = {
  memoryBytes: 256 * 2 ** 20,
  timeoutMs: 60_000,
  inactivityTimeoutMs: 60_000,
};

/** What one file may take, of which the URLs are given out. */
export const SITEMAP_FILE_LIMITS: FileLimits = { characters: 4 * 2 ** 20, chunks: 0, processorMs: 60_000 };
