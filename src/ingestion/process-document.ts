import type { ExpressionBuilder } from 'kysely';
import type { Logger } from 'pino';
import { v7 as uuid } from 'uuid';
import type { DocumentStatus, JobLane } from '../../db/enums.js';
import { shortInlineText, wholeInlineText } from '../../db/inline-text.js';
import type { ChunkingOptions, Database, ExtractionMode, Queryable, Schema } from '../../db/schema.js';
import { tenantTransaction } from '../../db/tenant-isolation/tenant-transaction.js';
import { linkedController } from '../async/linked-signals.js';
import {
  documentListChanges,
  type ListedDocument,
  listedDocumentColumns,
} from '../derived-data/list-changes.js';
import { type UsageChange, writeCounts } from '../derived-data/write-counts.js';
import type { CountDocuments } from '../metrics/activity.js';
import { inSpan } from '../tracing/spans.js';
import { documentEventColumns } from '../webhook-delivery/events.js';
import { type ChunkingResult, type ChunkingSandbox, toChunkingTask } from './chunking/chunking-task.js';
import {
  deleteDrafts,
  insertDrafts,
  type ProcessingAttempt,
  replaceChunks,
} from './chunking/store-chunks.js';
import { emitDocumentOutcome } from './emit-outcome.js';
import type { Extraction } from './extraction/extraction.js';
import { deleteTexts } from './extraction/stored-texts.js';
import { isServiceOutage, quotaExceededError, toDocumentFailure } from './ingestion-error.js';
import type { DocumentKey } from './jobs/job-queue.js';
import { tooManyChunksError } from './limits/file-limits.js';
import { logReady } from './log-ready.js';
import { type Stage, startProgressReporter } from './report-progress.js';
import type { SandboxHandlers } from './sandbox/sandbox.js';
import {
  type ReadSourceOptions,
  readSource,
  type SourceFile,
  type SourceRow,
} from './sources/read-source.js';
import { logWarnings } from './warnings/log-warnings.js';

export interface ProcessDependencies {
  db: Database;
  sandbox: Pick<ChunkingSandbox, 'run' | 'runStep'>;
  /** Options for reading sources. */
  sourceOptions: Omit<ReadSourceOptions, 'signal'>;
  /** Where there is an engine for pages that Lectern cannot read. */
  extraction?: Extraction | undefined;
  /** Default chunking options. */
  chunking: ChunkingOptions;
  /** Limits of the largest file. */
  maxFile: { chunks: number; processorMs: number };
  /** Whether the tenant has no more chunks than it may have, as they are in the transaction. */
  isWithinQuota: (tx: Queryable, tenantId: string) => Promise<boolean>;
  /** Told of documents that are processed. */
  countDocuments?: CountDocuments | undefined;
  clock: () => Date;
  log: Logger;
}

/** A document claimed by this attempt. */
export interface ClaimedDocument extends SourceRow, ProcessingAttempt {
  extraction: ExtractionMode;
  revision: number;
  attempts: number;
  chunking: ChunkingOptions | null;
  createdTime: Date;
}

export interface ProcessOptions {
  /** Of the job: only in that for extraction, and that of suspects, may an engine be waited for. */
  lane: JobLane;
  /** How often the engine, or a part of the service, was away. */
  outages: number;
  /** Whether a retryable failure is final; an outage of the service never is. */
  isLastAttempt: boolean;
  /** Whether the job is held still; called with its document locked. An attempt for a replaced job would supersede that for the current one. */
  isHeld: (tx: Queryable) => Promise<boolean>;
  signal?: AbortSignal | undefined;
}

/**
 * `superseded` if another attempt decides what becomes of the document; `to_extract` if an engine has to read pages of it,
 * which is done in a lane of its own.
 */
export type Ended = 'ended' | 'superseded' | 'to_extract';

type Progress = ReturnType<typeof startProgressReporter>;
export type ProcessDocument = ReturnType<typeof createProcessDocument>;

/**
 * Turns a document's source into chunks: fetch, parse and split in the sandbox, store. The old chunks stay
 * searchable until they are replaced, also if processing fails; warnings are about the chunks, and stay and go
 * with them. A change of the source meanwhile supersedes
 * the attempt; so does a later attempt, so that a worker wrongly presumed dead writes nothing.
 */
export function createProcessDocument(dependencies: ProcessDependencies) {
  const { db, sandbox, sourceOptions, chunking, maxFile, isWithinQuota, clock, log } = dependencies;
  const { countDocuments = () => {}, extraction } = dependencies;

  /** @throws the failure, when it is to be retried */
  return async function processDocument(
    key: DocumentKey,
    { isLastAttempt, isHeld, lane, outages, signal: stopping }: ProcessOptions,
  ): Promise<Ended> {
    const document = await claim(key, isHeld);
    if (!document) return 'ended';
    if (document === 'superseded') return document;
    const { signal, abort, unlink } = linkedController(stopping);
    let isSuperseded = false;
    const progress = startProgressReporter(
      () => updateIfCurrent(document),
      () => {
        isSuperseded = true;
        abort();
      },
    );
    let source: SourceFile | undefined;
    try {
      const read = await inSpan('read source', { attributes: { 'lectern.source': document.source } }, () =>
        readSource(document, { ...sourceOptions, signal }),
      );
      if (read.notModified) return await finishUnchanged(document);
      source = read;
      progress.enter('parsing');
      const isLastOutage = isLastAttempt || outages >= MAX_OUTAGES;
      const outcome = await makeDrafts(document, source, progress, { signal, lane, isLastOutage });
      await progress.end();
      if (outcome === 'to_extract') return await queueExtraction(document);
      progress.enter('storing');
      await progress.write();
      return await inSpan('store chunks', {}, () => finish(document, read, outcome, progress));
    } catch (error) {
      if (isSuperseded) return 'superseded';
      // Interrupted by the shutdown: the job is requeued unchanged.
      if (stopping?.aborted) throw error;
      await progress.end();
      return await fail(document, error, progress.stage(), isLastAttempt);
    } finally {
      unlink();
      await progress.end();
      await source?.dispose();
      await deleteDrafts(db, document).catch((error) => log.debug({ err: error }, 'could not delete drafts'));
    }
  };

  async function claim(
    { tenantId, documentId }: DocumentKey,
    isHeld: ProcessOptions['isHeld'],
  ): Promise<ClaimedDocument | 'superseded' | undefined> {
    const claimed = await tenantTransaction(db, tenantId, async (tx) => {
      const before = await tx
        .selectFrom('documents')
        .select(listedDocumentColumns)
        .where('tenantId', '=', tenantId)
        .where('id', '=', documentId)
        .where('status', 'in', PENDING)
        .where('source', '!=', 'none')
        .forUpdate()
        .executeTakeFirst();
      if (!before) return undefined;
      if (!(await isHeld(tx))) return 'superseded';
      await countMove(tx, before, 'processing');
      return tx
        .updateTable('documents')
        .set((eb) => ({
          status: 'processing',
          stage: 'fetching',
          processingProgress: 1,
          newChunks: 0,
          attempts: eb('attempts', '+', 1),
          error: null,
        }))
        .where('tenantId', '=', tenantId)
        .where('id', '=', documentId)
        .returning(['id', 'revision', 'attempts', 'chunking', 'source', 'documentName', 'storageType'])
        .returning([
          'storageBucket',
          'storagePath',
          'url',
          'createdTime',
          'tenantId',
          'tenantUnitId',
          'extraction',
        ])
        .executeTakeFirstOrThrow();
    });
    if (claimed === 'superseded') return claimed;
    if (!claimed) return assertNotAwaited({ tenantId, documentId });
    const source = await db
      .selectFrom('documentSources')
      .select(['fileKey', 'fileName', 'mediaType', 'lastModified', 'etag', 'httpLastModified'])
      .select(shortInlineText('content').as('content'))
      .where('tenantId', '=', tenantId)
      .where('documentId', '=', documentId)
      .executeTakeFirst();
    if (!source) return undefined;
    const content = await wholeInlineText(db, { tenantId, documentId }, source.content);
    return { ...claimed, ...source, content, attemptId: uuid() };
  }

  /**
   * Where there is a job, its document waits to be processed, unless that was cancelled or has ended since. On a cluster the
   * job is seen a moment before what the same transaction does to the document: it is not there yet, or as it was before.
   *
   * @throws Error there, so that it is tried again
   */
  async function assertNotAwaited({ tenantId, documentId }: DocumentKey): Promise<undefined> {
    const document = await db
      .selectFrom('documents')
      .select(['status', 'source'])
      .where('tenantId', '=', tenantId)
      .where('id', '=', documentId)
      // Waits for the transaction.
      .forShare()
      .executeTakeFirst();
    if (document && document.source !== 'none' && PENDING.includes(document.status))
      throw new Error('The document of a job has changed at this moment.');
    if (document) return;
    const job = await db
      .selectFrom('processingJobs')
      .select('sequence')
      .where('tenantId', '=', tenantId)
      .where('documentId', '=', documentId)
      .executeTakeFirst();
    if (job) throw new Error('The document of a job is not there.');
  }

  async function makeDrafts(
    document: ClaimedDocument,
    source: SourceFile,
    progress: Progress,
    { signal, lane, isLastOutage }: { signal: AbortSignal; lane: JobLane; isLastOutage: boolean },
  ): Promise<ChunkingResult | 'to_extract'> {
    const task = toChunkingTask(document, source, { chunking, maxFile });
    let made = 0;
    const handlers: SandboxHandlers = {
      signal,
      tenantId: document.tenantId,
      onProgress: progress.reportParsed,
      onBatch: async (batch) => {
        const added = await insertDrafts(db, document, batch);
        made += added;
        if (made > task.limits.chunks) throw tooManyChunksError();
        progress.reportDrafts(added);
      },
    };
    const scope = extraction?.scopeOf(document.extraction);
    if (!extraction || !scope) return sandbox.run(task, handlers);
    const key = keyOf(document);
    if (lane !== 'extraction') {
      const result = await sandbox.runStep({ ...task, extraction: { step: 'ask', scope } }, handlers);
      if (!('extraction' in result)) return result;
      if (lane !== 'suspect') return 'to_extract';
    }
    progress.enter('extracting');
    return extraction.chunkFile(key, task, { ...handlers, scope, isLastAttempt: isLastOutage });
  }

  async function queueExtraction(document: ClaimedDocument): Promise<Ended> {
    const queued = await updateIfCurrent(document).set({ stage: 'extracting' }).executeTakeFirst();
    return queued.numUpdatedRows === 0n ? 'superseded' : 'to_extract';
  }

  async function finish(
    document: ClaimedDocument,
    source: SourceFile,
    outcome: ChunkingResult,
    progress: Progress,
  ): Promise<Ended> {
    const { subType, chunkCount: expected, warnings } = outcome;
    const sniffedSubType = source.isFromUrl && subType === 'html' ? 'webpage' : subType;
    const chunks = await tenantTransaction(db, document.tenantId, async (tx) => {
      const before = await lockIfCurrent(tx, document);
      if (!before) return undefined;
      const now = clock();
      await deleteTexts(tx, keyOf(document), outcome.extracted);
      const { chunkCount, added } = await replaceChunks(tx, document, { expected, now });
      await countMove(tx, before, 'ready', { tenantId: document.tenantId, chunks: added });
      if (!(await isWithinQuota(tx, document.tenantId))) throw quotaExceededError();
      await tx
        .updateTable('documentSources')
        .set({ etag: source.etag ?? null, httpLastModified: source.httpLastModified ?? null })
        .where('tenantId', '=', document.tenantId)
        .where('documentId', '=', document.id)
        .execute();
      const ready = await updateIfCurrent(document, tx)
        .set({ ...READY, chunkCount, sniffedSubType, warnings: JSON.stringify(warnings), processedTime: now })
        .returning(documentEventColumns)
        .executeTakeFirstOrThrow();
      await emitDocumentOutcome(tx, ready);
      return chunkCount;
    });
    if (chunks === undefined) return 'superseded';
    const stageMs = progress.stageMs();
    countDocuments(document.tenantId, { ready: 1, chunks, type: subType, stageMs });
    logReady(log, document, { type: subType, chunks, ms: sum(Object.values(stageMs)) });
    logWarnings(log, document, warnings);
    return 'ended';
  }

  /** The source has not been modified since it was processed last. */
  async function finishUnchanged(document: ClaimedDocument): Promise<Ended> {
    const ready = await tenantTransaction(db, document.tenantId, async (tx) => {
      const before = await lockIfCurrent(tx, document);
      if (!before) return undefined;
      await countMove(tx, before, 'ready');
      const ready = await updateIfCurrent(document, tx)
        .set(READY)
        .returning(documentEventColumns)
        .executeTakeFirstOrThrow();
      await emitDocumentOutcome(tx, ready);
      return ready;
    });
    if (!ready) return 'superseded';
    countDocuments(document.tenantId, { ready: 1 });
    log.info({ tenantId: document.tenantId, documentId: document.id }, 'a document is ready, and unchanged');
    return 'ended';
  }

  async function fail(
    document: ClaimedDocument,
    error: unknown,
    stage: Stage,
    isLastAttempt: boolean,
  ): Promise<Ended> {
    const failure = toDocumentFailure(error, stage);
    const isFinal = !isServiceOutage(error) && (isLastAttempt || !failure.retryable);
    const changed = await tenantTransaction(db, document.tenantId, async (tx) => {
      const before = isFinal ? await lockIfCurrent(tx, document) : undefined;
      if (before) await countMove(tx, before, 'failed');
      const updated = await updateIfCurrent(document, tx)
        .set({
          error: JSON.stringify(failure),
          newChunks: 0,
          ...(isFinal && { status: 'failed', stage: null }),
        })
        .returning(documentEventColumns)
        .executeTakeFirst();
      if (updated && isFinal) await emitDocumentOutcome(tx, updated);
      return updated;
    });
    // Superseded, which may be the cause of the error.
    if (!changed) return 'superseded';
    const about = { tenantId: document.tenantId, documentId: document.id, code: failure.code, stage };
    if (failure.code === 'internal') log.error({ err: error, ...about }, 'processing failed');
    else log.info(about, isFinal ? 'a document failed' : 'a document is tried again');
    if (!isFinal) throw error;
    countDocuments(document.tenantId, { failed: 1, code: failure.code });
    return 'ended';
  }

  function lockIfCurrent(tx: Queryable, document: ClaimedDocument): Promise<ListedDocument | undefined> {
    return tx
      .selectFrom('documents')
      .select(listedDocumentColumns)
      .where(isCurrent(document))
      .forUpdate()
      .executeTakeFirst();
  }

  /** An update that matches no row once the attempt is superseded. */
  function updateIfCurrent(document: ClaimedDocument, tx: Pick<Database, 'updateTable'> = db) {
    return tx.updateTable('documents').where(isCurrent(document));
  }
}

/** Of an extraction engine, with pauses between that add up to most of an hour. */
const MAX_OUTAGES = 10;
const PENDING: DocumentStatus[] = ['created', 'processing'];

/** Counts that a document has another status, and its chunks. */
const countMove = (tx: Queryable, before: ListedDocument, status: DocumentStatus, ...usage: UsageChange[]) =>
  writeCounts(tx, {
    usage,
    lists: documentListChanges({ before: [before], after: [{ ...before, status }] }),
  });

/** Optimistic locking: holds until the source changes or another attempt begins. */
const isCurrent =
  ({ tenantId, id, revision, attempts }: ClaimedDocument) =>
  (eb: ExpressionBuilder<Schema, 'documents'>) =>
    eb.and({ tenantId, id, revision, attempts });

const keyOf = ({ tenantId, id }: ClaimedDocument): DocumentKey => ({ tenantId, documentId: id });

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** What a document is set to when it is processed. */
export const READY = { status: 'ready', processingProgress: 100, stage: null, newChunks: 0 } as const;
