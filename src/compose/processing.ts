import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Database, Queryable } from '../../db/schema.js';
import type { Config } from '../config/config.js';
import { createChunkingSandbox } from '../ingestion/chunking/chunking-sandbox.js';
import type { Extraction } from '../ingestion/extraction/extraction.js';
import { createPreviewChunks } from '../ingestion/preview/preview-chunks.js';
import { PREVIEW_CONCURRENCY, PREVIEW_SANDBOX_LIMITS } from '../ingestion/preview/preview-limits.js';
import { createBucketAllowlist } from '../ingestion/sources/buckets/bucket-allowlist.js';
import { createOpenObject } from '../ingestion/sources/buckets/open-object.js';
import type { CountDocuments } from '../metrics/activity.js';
import type { Quotas } from '../services/shared/quotas.js';
import type { FileStorage } from '../storage/file-storage.js';

/** A parser is limited by processor time, and gets little of it on a busy machine: so much more of the clock. */
const WALL_CLOCK_MARGIN_MS = 3_600_000;
/** A parser that neither gives chunks nor tells how far it is for so long is in an endless loop. */
const NO_PROGRESS_TIMEOUT_MS = 120_000;
export const SANDBOX_PROGRAM = fileURLToPath(new URL('../../program/chunk-file.js', import.meta.url));

interface ProcessingDependencies {
  db: Database;
  extraction: Extraction | undefined;
  storage: FileStorage;
  quotas: Quotas;
  tempDir: string;
  countDocuments: CountDocuments;
  /** The program of the parser processes. */
  program?: string | undefined;
  clock: () => Date;
  log: Logger;
}

/** What previews need: smaller limits than processing has, and processes of their own, so that neither waits. */
export function createPreview(
  { extraction, sourceOptions, chunking, clock, log }: ReturnType<typeof createProcessing>,
  program = SANDBOX_PROGRAM,
) {
  const sandbox = createChunkingSandbox({
    program,
    concurrency: PREVIEW_CONCURRENCY,
    limits: PREVIEW_SANDBOX_LIMITS,
    log,
  });
  return {
    makePreview: createPreviewChunks({ sandbox, extraction, sourceOptions, chunking, clock }),
    close: () => sandbox.close(),
  };
}

/** What processing a document needs: its source, a sandbox that parses it, and limits. */
export function createProcessing(
  config: Config,
  {
    db,
    extraction,
    storage,
    quotas,
    tempDir,
    countDocuments,
    program = SANDBOX_PROGRAM,
    clock,
    log,
  }: ProcessingDependencies,
) {
  const { ingestMemoryBytes: memoryBytes, ingestTimeoutMs, s3Endpoint, sourceBuckets, storageUrl } = config;
  const sandbox = createChunkingSandbox({
    program,
    concurrency: config.ingestConcurrency,
    limits: {
      memoryBytes,
      timeoutMs: ingestTimeoutMs + WALL_CLOCK_MARGIN_MS,
      inactivityTimeoutMs: NO_PROGRESS_TIMEOUT_MS,
    },
    log,
  });
  return {
    db,
    sandbox,
    extraction,
    sourceOptions: {
      storage,
      openObject: createOpenObject({
        s3Endpoint,
        isAllowed: createBucketAllowlist({ allowed: sourceBuckets, storageUrl }),
      }),
      maxBytes: config.maxUploadBytes,
      tempDir,
      fetchAllowHosts: config.fetchAllowHosts,
      fetchTimeoutMs: config.fetchTimeoutMs,
    },
    chunking: config.chunking,
    maxFile: { chunks: config.maxChunksPerDocument, processorMs: ingestTimeoutMs },
    isWithinQuota: (tx: Queryable, tenantId: string) => quotas.isWithinQuota(tx, tenantId, ['chunks']),
    countDocuments,
    clock,
    log,
  };
}
