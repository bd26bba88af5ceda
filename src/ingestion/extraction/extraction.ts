import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileError } from '@lectern/file-to-markdown';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database, ExtractionMode } from '../../../db/schema.js';
import { linkedController } from '../../async/linked-signals.js';
import type { FailureCode } from '../../errors/failure-codes.js';
import { toOperatorMessage } from '../../model-endpoint/operator-message.js';
import type { ChunkingResult, ChunkingSandbox, ChunkingTask } from '../chunking/chunking-task.js';
import { IngestionError, ServiceOutageError } from '../ingestion-error.js';
import type { DocumentKey } from '../jobs/job-queue.js';
import type { SandboxHandlers } from '../sandbox/sandbox.js';
import type { ExtractionEngine } from './extraction-engine.js';
import { type ExtractionScope, scopeOf } from './extraction-scope.js';
import type { ExtractionSettings } from './extraction-settings.js';
import { TEXTS_FILE } from './extraction-step.js';
import { startReadingPictures, type Unread } from './read-pictures.js';
import { readTexts } from './stored-texts.js';

export interface ExtractionDependencies {
  db: Database;
  engine: ExtractionEngine;
  extractionFor: ExtractionSettings['extractionFor'];
  /** Of its own: collecting pictures takes long. */
  sandbox: ExtractionSandbox;
  /** Pictures of one document that are read at a time. */
  concurrency: number;
  /** Pages of a tenant; undefined: any. */
  quota: number | undefined;
  tempDir: string;
  log: Logger;
}

type ExtractionSandbox = Pick<ChunkingSandbox, 'run' | 'runStep'>;

export interface ChunkFileOptions extends SandboxHandlers {
  scope: ExtractionScope;
  isLastAttempt: boolean;
  most?: number | undefined;
  sandbox?: ExtractionSandbox;
}

/** Codes of what has no text, by itself or by the engine. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['scanned', 'nothing_recognized'] satisfies FailureCode[]);
/** Of all texts of a document, which are in memory. */
const MAX_CHARACTERS = 32 * 2 ** 20;
/** So many times in a row an engine may fail before the other pages are given up. */
const LAST_PATIENCE = 3;
/** So many times the processor time of parsing: pictures are large when they are decoded. */
const COLLECTING = 10;

export type Extraction = ReturnType<typeof createExtraction>;

export const collectedPicture = z.object({
  key: z.string().max(64),
  page: z.int(),
  mediaType: z.string().max(100),
  size: z.int().nullable(),
  isFile: z.boolean().optional(),
});

/** Makes chunks of documents with pages that only an engine can read. */
export function createExtraction(dependencies: ExtractionDependencies) {
  const { db, engine, extractionFor, sandbox: ownSandbox, concurrency, quota, tempDir, log } = dependencies;
  return { engine, scopeOf: (mode: ExtractionMode) => scopeOf(mode, extractionFor, engine), chunkFile };

  /**
   * @param document whose texts are known, and kept; without an id nothing is
   * @param options.scope what the engine is asked for; Lectern reads a file that the engine does not take whole
   * @param options.isLastAttempt pages that the engine does not read now are left out, where there is other text
   * @param options.most pictures that are read; default: all
   * @param options.sandbox default: the one of extraction
   * @throws ServiceOutageError `extraction_unavailable` where the engine is away; what the sandbox throws
   */
  async function chunkFile(
    document: DocumentKey,
    task: ChunkingTask,
    options: ChunkFileOptions,
  ): Promise<ChunkingResult> {
    const result = await readAndChunk(document, task, options);
    if (result) return result;
    return chunkFile(document, task, { ...options, scope: { ...options.scope, files: [] } });
  }

  /** @returns undefined where the engine gave no text of the whole file */
  async function readAndChunk(
    document: DocumentKey,
    task: ChunkingTask,
    options: ChunkFileOptions,
  ): Promise<ChunkingResult | undefined> {
    const { scope, isLastAttempt, most, onProgress, sandbox = ownSandbox, ...handlers } = options;
    const known = await readTexts(db, document, engine.version);
    const folder = await mkdtemp(path.join(tempDir, 'pictures-'));
    const { signal, abort, unlink } = linkedController(handlers.signal);
    const context = { db, engine, window: concurrency, quota };
    const reading = startReadingPictures(context, document, {
      folder,
      file: task.path,
      known,
      maxCharacters: Math.min(task.limits.characters, MAX_CHARACTERS),
      patience: isLastAttempt ? LAST_PATIENCE : 1,
      signal,
    });
    try {
      const onBatch = async (batch: string) => {
        await reading.add(collectedPicture.parse(JSON.parse(batch)));
        onProgress(reading.progress());
        if (!isLastAttempt) throwIfAway(reading);
      };
      const step = { step: 'collect', scope, folder, known: [...known.keys()], most } as const;
      await sandbox.runStep(
        {
          ...task,
          extraction: step,
          limits: { ...task.limits, processorMs: COLLECTING * task.limits.processorMs },
        },
        { ...handlers, signal, onProgress: () => {}, onBatch },
      );
      const texts = await reading.end();
      if (!isLastAttempt) throwIfAway(reading);
      logUnread(document, reading.unread);
      if (reading.hasFile() && Object.keys(texts).length === 0) return undefined;
      await writeFile(path.join(folder, TEXTS_FILE), JSON.stringify(texts));
      const insertStep = { step: 'insert', folder, extractedBy: engine.name } as const;
      const result = await sandbox.run(
        { ...task, extraction: insertStep },
        { ...handlers, signal, onProgress },
      );
      return { ...result, extracted: Object.keys(texts) };
    } catch (error) {
      const isWithoutText = error instanceof IngestionError && WITHOUT_TEXT.has(error.code);
      // More text than a file may have, in the answer, is a FileError.
      if (reading.hasFile() && (isWithoutText || error instanceof FileError)) return undefined;
      throw isWithoutText ? (reasonOf(reading.unread) ?? error) : error;
    } finally {
      abort();
      unlink();
      await rm(folder, { recursive: true, force: true });
    }
  }

  function logUnread({ tenantId, documentId }: DocumentKey, unread: ReadonlyMap<Unread, unknown>): void {
    for (const [reason, error] of unread)
      log.warn(
        { tenantId, documentId, reason, said: error && toOperatorMessage(error) },
        'an extraction engine did not read all pages of a document',
      );
  }
}

function throwIfAway({ unread, hasProgress }: ReturnType<typeof startReadingPictures>): void {
  if (!unread.has('unavailable')) return;
  throw new ServiceOutageError(
    'extraction_unavailable',
    'The extraction engine is not available; the document waits for it.',
    { cause: unread.get('unavailable'), hasProgress: hasProgress() },
  );
}

/** Why a document without own text gives none. */
function reasonOf(unread: ReadonlyMap<Unread, unknown>): IngestionError | undefined {
  if (unread.has('unavailable')) {
    const message =
      'The pages are pictures, and the extraction engine is not available; process the document again later.';
    return new IngestionError('extraction_unavailable', message);
  }
  if (!unread.has('quota')) return undefined;
  const message =
    'The pages are pictures, and an extraction engine has read as many pages of this tenant as it may. Have the quota raised, and process the document again.';
  return new IngestionError('quota_exceeded', message);
}
