import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import type { FileStorage } from '../storage/file-storage.js';
import { toFailure } from './ingestion-error.js';
import type { DocumentKey } from './job-queue.js';
import { makeChunks } from './make-chunks.js';
import { parse } from './parse/index.js';
import { readSource, type SourceRow } from './read-source.js';
import { bytesInMemory } from './source-bytes.js';
import { storeChunks } from './store-chunks.js';

export interface ProcessDependencies {
  db: Database;
  storage: FileStorage;
  index: Pick<ChunkIndex, 'apply'>;
  clock: () => Date;
  maxBytes: number;
  log: Logger;
}

interface Claimed extends SourceRow {
  id: string;
  tenantId: string;
  tenantUnitId: string;
  revision: number;
  attempts: number;
  createdTime: Date;
}

/** Progress at the start of each stage, in per cent. */
const STAGES = { fetching: 1, parsing: 10, splitting: 60, storing: 80 } as const;
type Stage = keyof typeof STAGES;

const PROGRESS_INTERVAL_MS = 500;

export type ProcessDocument = ReturnType<typeof createProcessDocument>;

/**
 * Turns a document's source into chunks: fetch, parse, split, store. The old chunks serve until the new ones
 * stand, and if making these fails. A change of the source in the meantime makes the work void: its own job does
 * it again. So does a further attempt: whoever began last writes, and a worker that was wrongly taken for dead
 * does not.
 */
export function createProcessDocument({ db, storage, index, clock, maxBytes, log }: ProcessDependencies) {
  /**
   * @param isLastAttempt whether a failure that might pass is to be recorded as final
   * @throws what failed, when it is to be tried again
   */
  return async function processDocument(
    key: DocumentKey,
    { isLastAttempt, signal }: { isLastAttempt: boolean; signal?: AbortSignal | undefined },
  ): Promise<void> {
    const document = await claim(key);
    if (!document) return;
    let stage: Stage = 'fetching';
    const enter = async (next: Stage) => {
      stage = next;
      await report(document, next, STAGES[next]);
    };
    const onProgress = throttle((fraction: number) => {
      const span = STAGES.splitting - STAGES.parsing;
      return report(document, 'parsing', STAGES.parsing + Math.floor(span * fraction));
    });
    try {
      const source = await readSource(document, { storage, maxBytes, signal });
      await enter('parsing');
      const parsed = await parse({
        source: bytesInMemory(source.bytes),
        ...(source.fileName !== undefined && { fileName: source.fileName }),
        ...(source.mediaType !== undefined && { mediaType: source.mediaType }),
        ...(signal && { signal }),
        onProgress,
      });
      await onProgress.settled();
      await enter('splitting');
      const chunks = await makeChunks(parsed, {
        fileName: document.documentName ?? source.fileName ?? '',
        lastModified: source.lastModified ?? document.createdTime,
      });
      await enter('storing');
      const subType = source.isWeb && parsed.subType === 'html' ? 'webpage' : parsed.subType;
      await finish(document, chunks, subType);
    } catch (error) {
      // Not the document's fault: the job goes back to the queue as it was.
      if (signal?.aborted) throw error;
      // A report that is still under way would write over the end.
      await onProgress.settled();
      await fail(document, error, stage, isLastAttempt);
    }
  };

  async function claim({ tenantId, documentId }: DocumentKey): Promise<Claimed | undefined> {
    const claimed = await db
      .updateTable('documents')
      .set((eb) => ({
        status: 'processing',
        stage: 'fetching',
        processingProgress: STAGES.fetching,
        attempts: eb('attempts', '+', 1),
        error: null,
      }))
      .where('tenantId', '=', tenantId)
      .where('id', '=', documentId)
      .where('status', 'in', ['created', 'processing'])
      .where('source', '!=', 'none')
      .returning(['id', 'tenantId', 'tenantUnitId', 'revision', 'attempts', 'createdTime'])
      .returning(['source', 'documentName', 'storageType', 'url'])
      .executeTakeFirst();
    if (!claimed) return undefined;
    const source = await db
      .selectFrom('documentSources')
      .select(['content', 'fileKey', 'fileName', 'mediaType', 'lastModified'])
      .where('tenantId', '=', tenantId)
      .where('documentId', '=', documentId)
      .executeTakeFirst();
    return source && { ...claimed, ...source };
  }

  async function report(document: Claimed, stage: Stage, processingProgress: number): Promise<void> {
    await present(document).set({ stage, processingProgress }).execute();
  }

  async function finish(
    document: Claimed,
    chunks: Awaited<ReturnType<typeof makeChunks>>,
    sniffedSubType: string,
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const current = await tx
        .selectFrom('documents')
        .select('id')
        .where('tenantId', '=', document.tenantId)
        .where('id', '=', document.id)
        .where('revision', '=', document.revision)
        .where('attempts', '=', document.attempts)
        .forUpdate()
        .executeTakeFirst();
      if (!current) return;
      const now = clock();
      const chunkCount = await storeChunks(tx, document, chunks, { index, now });
      await present(document, tx)
        .set({ status: 'ready', processingProgress: 100, stage: null, chunkCount, sniffedSubType })
        .execute();
    });
  }

  async function fail(
    document: Claimed,
    error: unknown,
    stage: Stage,
    isLastAttempt: boolean,
  ): Promise<void> {
    const failure = toFailure(error, stage);
    const isFinal = isLastAttempt || !failure.retryable;
    if (failure.code === 'internal') {
      log.error({ err: error, tenantId: document.tenantId, documentId: document.id }, 'processing failed');
    }
    await present(document)
      .set({ error: JSON.stringify(failure), ...(isFinal && { status: 'failed', stage: null }) })
      .execute();
    if (!isFinal) throw error;
  }

  /** An update that does nothing once the document's source has changed or another attempt has begun. */
  function present({ tenantId, id, revision, attempts }: Claimed, tx: Pick<Database, 'updateTable'> = db) {
    return tx
      .updateTable('documents')
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .where('revision', '=', revision)
      .where('attempts', '=', attempts);
  }
}

/** Lets a report through every now and then, one at a time. Progress that cannot be written is no failure. */
function throttle(report: (fraction: number) => Promise<void>) {
  let last = 0;
  let pending = Promise.resolve();
  const run = (fraction: number): void => {
    const now = Date.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    pending = pending.then(() => report(fraction)).catch(() => {});
  };
  return Object.assign(run, { settled: () => pending });
}
