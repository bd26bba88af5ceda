import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import type { Config } from '../config/config.js';
import type { Extraction } from '../ingestion/extraction/extraction.js';
import type { Collected } from '../ingestion/extraction/extraction-step.js';
import { createSandbox } from '../ingestion/sandbox/sandbox.js';
import type { SourceTextResult, SourceTextTask } from '../ingestion/source-text/protocol.js';
import { createReadSourceText, SOURCE_TEXT_CONCURRENCY } from '../ingestion/source-text/read-source-text.js';
import type { FileStorage } from '../storage/file-storage.js';

const PROGRAM = fileURLToPath(new URL('../../program/read-source-text.js', import.meta.url));
/** Of the processor; of the clock ten times as much. */
const PROCESSOR_MS = 90_000;
const TIMEOUT_MS = 10 * PROCESSOR_MS;
/** A parser that neither gives text nor tells how far it is for so long is in an endless loop. */
const NO_PROGRESS_TIMEOUT_MS = 120_000;

interface SourceTextsDependencies {
  db: Database;
  extraction: Pick<Extraction, 'scopeOf'> | undefined;
  storage: FileStorage;
  tempDir: string;
  /** The program of the parser processes. */
  program?: string | undefined;
  log: Logger;
}

/** Reads sources again to show them, beside the processes that make chunks. */
export function createSourceTexts(
  config: Config,
  { db, extraction, storage, tempDir, program = PROGRAM, log }: SourceTextsDependencies,
) {
  const { ingestMemoryBytes: memoryBytes, maxChunksPerDocument: chunks, maxUploadBytes: maxBytes } = config;
  const sandbox = createSandbox<SourceTextTask, SourceTextResult | Collected>({
    program,
    concurrency: SOURCE_TEXT_CONCURRENCY,
    limits: { memoryBytes, timeoutMs: TIMEOUT_MS, inactivityTimeoutMs: NO_PROGRESS_TIMEOUT_MS },
    log,
  });
  const read = createReadSourceText({
    db,
    scopeOf: extraction?.scopeOf,
    sandbox,
    sourceOptions: { storage, tempDir, maxBytes },
    chunking: config.chunking,
    maxFile: { chunks, processorMs: Math.min(config.ingestTimeoutMs, PROCESSOR_MS) },
  });
  return { read, close: sandbox.close };
}
