import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import { withDeadline } from '../async/linked-signals.js';
import type { Config } from '../config/config.js';
import { ConfigError } from '../config/config-error.js';
import { createChunkingSandbox } from '../ingestion/chunking/chunking-sandbox.js';
import { createServerEngine, withLimits } from '../ingestion/extraction/create-engine.js';
import { findTesseract } from '../ingestion/extraction/engines/tesseract/find-tesseract.js';
import { createTesseractEngine } from '../ingestion/extraction/engines/tesseract/tesseract.js';
import { createExtraction } from '../ingestion/extraction/extraction.js';
import type { ExtractionEngine } from '../ingestion/extraction/extraction-engine.js';
import type { ExtractionFor, ExtractionSettings } from '../ingestion/extraction/extraction-settings.js';
import { toMediaType, WHOLE_FILES } from '../ingestion/extraction/whole-files.js';
import { EndpointError } from '../model-endpoint/endpoint-error.js';
import { toOperatorMessage } from '../model-endpoint/operator-message.js';
import { SANDBOX_PROGRAM } from './processing.js';

/** Processes that collect pictures: one long document does not keep all others waiting. */
const COLLECTING = 2;
/** They wait for the engine. */
const TIMEOUT_MS = 24 * 3_600_000;
const NO_PROGRESS_TIMEOUT_MS = 120_000;
/** Some engines load their models first. */
const CHECK_TIMEOUT_MS = 30_000;

interface ExtractionOptions {
  db: Database;
  tempDir: string;
  /** The program of the parser processes. */
  program?: string | undefined;
  log: Logger;
}

/**
 * What has an engine read the pages that Lectern cannot; undefined where there is none.
 *
 * @throws ConfigError where the configuration asks for a program that is not there
 */
export async function openExtraction(
  { extraction: settings, ingestMemoryBytes: memoryBytes }: Config,
  { db, tempDir, program = SANDBOX_PROGRAM, log }: ExtractionOptions,
) {
  const engine = settings && (await openEngine(settings));
  if (!engine) return undefined;
  const limits = { memoryBytes, timeoutMs: TIMEOUT_MS, inactivityTimeoutMs: NO_PROGRESS_TIMEOUT_MS };
  const sandbox = createChunkingSandbox({ program, concurrency: COLLECTING, limits, log });
  const { concurrency, extractionFor, pageQuota: quota } = settings;
  return {
    ...createExtraction({ db, engine, extractionFor, sandbox, concurrency, quota, tempDir, log }),
    close: sandbox.close,
  };
}

/**
 * The engine that is configured; where nobody chose one, Tesseract if this machine has it.
 *
 * @throws ConfigError where Tesseract was chosen, and is not there; where the engine does not read what it is to read
 */
export async function openEngine(
  settings: ExtractionSettings | undefined,
): Promise<ExtractionEngine | undefined> {
  const engine = settings && (await createEngine(settings));
  if (engine) assertAccepted(settings.extractionFor, engine);
  return engine;
}

/** @throws ConfigError where the engine is to read what it does not take */
function assertAccepted(extractionFor: readonly ExtractionFor[], engine: ExtractionEngine): void {
  for (const wanted of extractionFor) {
    const type = wanted === 'tables' ? 'pdf' : WHOLE_FILES.find((one) => one === wanted);
    if (type === undefined || engine.accepts(toMediaType(type))) continue;
    throw new ConfigError(
      `EXTRACTION_FOR has ${wanted}, and ${engine.name} does not read ${type.toUpperCase()} files. Leave it out, or choose another engine by EXTRACTION_API.`,
    );
  }
}

async function createEngine(settings: ExtractionSettings): Promise<ExtractionEngine | undefined> {
  if ('url' in settings) return createServerEngine(settings);
  const program = await findTesseract();
  if (program) return withLimits(createTesseractEngine(program, settings.languages), settings);
  if (settings.api === 'auto') return undefined;
  throw new ConfigError(
    'EXTRACTION_API is tesseract, and the program tesseract is not on the PATH, or has no models. Install it, on Debian by apt-get install tesseract-ocr tesseract-ocr-chi-sim tesseract-ocr-deu, or set EXTRACTION_API to none.',
  );
}

/** Says in the log what is wrong with an engine. Nothing waits for it: documents with text do not need it. */
export async function logExtractionCheck(
  engine: ExtractionEngine | undefined,
  { stopping, log }: { stopping: AbortSignal; log: Logger },
): Promise<void> {
  if (!engine) return;
  try {
    const found = await withDeadline(CHECK_TIMEOUT_MS, stopping, (signal) => engine.check(signal));
    log.info({ engine: found }, 'the extraction engine is there');
  } catch (error) {
    if (stopping.aborted) return;
    if (error instanceof EndpointError)
      log.warn({ reason: toOperatorMessage(error) }, 'the extraction engine cannot be used');
    else log.warn({ err: error }, 'the extraction engine could not be checked');
  }
}
