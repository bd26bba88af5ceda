import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { withDeadline } from '../../async/linked-signals.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import { logSaid } from '../../model-endpoint/log-said.js';
import { toOperatorMessage } from '../../model-endpoint/operator-message.js';
import { createPacer, type PaceLimits } from '../../model-endpoint/pacer.js';
import { endWith } from '../../tracing/spans.js';
import type { Tracing } from '../../tracing/tracing.js';
import { runRetryLoop } from '../indexing/retry-loop.js';
import { withEmbedderLock } from '../indexing/session-locks.js';
import { chooseModel, markSeen, readStartedTime } from './choose-model.js';
import { type EmbedChunksOptions, embedChunks } from './embed-chunks.js';
import { embedTexts } from './endpoint.js';
import { hasWork } from './has-work.js';
import { measureUnmeasured } from './measure-unmeasured.js';
import { type EmbeddingModel, promoteModel } from './models.js';
import { backfill, isQueueDrained, readDueTexts } from './queue.js';
import { createRequestSize } from './request-size.js';
import { deleteRetired } from './retired-models.js';
import { wereQuestionsSlow } from './slow-questions.js';

const POLL_INTERVAL_MS = 500;
/** While a process that started later embeds with another model. */
const STANDBY_INTERVAL_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** An endpoint that asks for a longer pause is tried again nevertheless. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000;
/** Longest time under the lock, after which another process may have it; and longest time without having looked closely. */
const MAX_LOCK_MS = 60_000;
const MAX_IDLE_MS = 60_000;

/** For one word, by which the endpoint's speed is known. */
const PING_TIMEOUT_MS = 60_000;

export interface EmbeddingOptions extends EmbedChunksOptions, PaceLimits {
  /** After which questions are answered by words. */
  searchTimeoutMs: number;
  /** For the endpoint of the former model. */
  previousApiKey?: string | undefined;
}

export interface EmbeddingWorker {
  stop(): Promise<void>;
}

/**
 * Embeds the texts in the queue, in one process at a time. A failure of the endpoint is retried with backoff, and loses
 * nothing: the texts wait.
 */
export function startEmbeddingWorker({
  db: database,
  options,
  tracing,
  log,
}: {
  db: Database;
  options: EmbeddingOptions;
  tracing?: Tracing | undefined;
  log: Logger;
}): EmbeddingWorker {
  const db = unscoped(database, 'One queue has the texts of all tenants.');
  const stopping = new AbortController();
  const { signal } = stopping;
  const pacer = createPacer(options);
  const size = createRequestSize(options.searchTimeoutMs);
  const context = { db, options, pacer, size, signal, log };
  let startedTime: Date | undefined;
  let workedAt = Number.NEGATIVE_INFINITY;
  let isStandby = false;

  async function step(): Promise<number> {
    const isIdle = !isStandby && performance.now() - workedAt < MAX_IDLE_MS && !(await hasWork(db));
    if (!isIdle) await withEmbedderLock(db, workIfOurs);
    return isStandby ? STANDBY_INTERVAL_MS : POLL_INTERVAL_MS;
  }

  async function workIfOurs(): Promise<void> {
    workedAt = Number.NEGATIVE_INFINITY;
    startedTime ??= await readStartedTime(db);
    const { model, isOwn } = await chooseModel(db, options, { startedTime, signal });
    if (isOwn === isStandby) {
      const message = isOwn
        ? 'embeds texts again'
        : 'stands by: a process that started later has another model';
      log.warn({ model: model.name }, message);
    }
    isStandby = !isOwn;
    if (isStandby) return;
    try {
      await measureUnmeasured(db, options, signal);
      await work(model);
    } finally {
      await markSeen(db, model.id, startedTime);
    }
    workedAt = performance.now();
  }

  /** Until nothing is left to do for now. */
  async function work(model: EmbeddingModel): Promise<void> {
    const since = performance.now();
    while (!signal.aborted && performance.now() - since < MAX_LOCK_MS) {
      await size.adapt(await wereQuestionsSlow(db, model.url), ping);
      const due = await readDueTexts(db, options.batchSize * options.concurrency);
      if (due.length > 0) await embed(model, due);
      else if (!(await fill(model)) && !(await deleteRetired(db))) return;
    }
  }

  async function ping(): Promise<void> {
    await pacer.wait(1, signal);
    await withDeadline(PING_TIMEOUT_MS, signal, (either) => embedTexts(options.endpoint, ['?'], either));
  }

  function embed(model: EmbeddingModel, due: Awaited<ReturnType<typeof readDueTexts>>): Promise<void> {
    if (!tracing) return embedChunks(context, model, due);
    const attributes = { 'lectern.texts': due.length, 'gen_ai.request.model': model.name };
    const span = tracing.startTrace('embed texts', { attributes });
    return endWith(span, () => embedChunks(context, model, due));
  }

  /** Queues what was there before the model; puts it into the place of the live one when all is embedded. */
  async function fill(model: EmbeddingModel): Promise<boolean> {
    if (model.isFilled) return false;
    if (!(await backfill(db, model))) return true;
    if (!(await isQueueDrained(db))) return false;
    await promoteModel(db, model.id);
    model.isFilled = true;
    log.info({ model: model.name }, 'all texts are embedded');
    return true;
  }

  const running = runRetryLoop({
    step,
    signal,
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
    readLeastPauseMs,
    describeError: toOperatorMessage,
    onFailure: async (error) => logSaid(log, error),
    messages: { failed: 'texts are not embedded; they wait', recovered: 'texts are embedded again' },
    log,
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function readLeastPauseMs(error: unknown): number {
  const retryAfterMs = error instanceof EndpointError ? error.details.retryAfterMs : undefined;
  return Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
}
