import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { EndpointError } from '../model-endpoint/endpoint-error.js';
import { withEmbedderLock } from '../session-locks.js';
import { type EmbeddedPassage, embedPassages } from './embed-passages.js';
import { type EmbeddingModel, type EmbeddingSettings, ensureModel, promoteModel } from './models.js';
import { createPacer, type PaceLimits } from './pacer.js';
import {
  backfill,
  dequeue,
  isQueueDrained,
  MAX_TEXT_LENGTH,
  postpone,
  type QueuedChunk,
  readDueTexts,
} from './queue.js';
import { deleteRetired } from './retired-models.js';
import { findEmbedded, type HashedChunk, type NewVector, storeVectors } from './store-vectors.js';
import { quantize } from './vectors.js';

const POLL_INTERVAL_MS = 500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Longest time under the lock, after which another process may have it. */
const MAX_LOCK_MS = 60_000;
/** Until a text that failed alone, or of a tenant without quota, is tried again. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 3_600_000;

export interface EmbeddingOptions extends EmbeddingSettings, PaceLimits {
  /** Texts in a request, and requests at a time. */
  batchSize: number;
  concurrency: number;
  /** Most tokens of a tenant; unlimited if undefined. */
  tokenQuota: number | undefined;
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
  log,
}: {
  db: Database;
  options: EmbeddingOptions;
  log: Logger;
}): EmbeddingWorker {
  const db = unscoped(database, 'One queue has the texts of all tenants.');
  const stopping = new AbortController();
  const { signal } = stopping;
  const pacer = createPacer(options);
  let failures = 0;
  let lastReason: string | undefined;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let pause = POLL_INTERVAL_MS;
      try {
        await withEmbedderLock(db, work);
        if (failures > 0) log.info('texts are embedded again');
        failures = 0;
        lastReason = undefined;
      } catch (error) {
        if (signal.aborted) return;
        pause = Math.max(
          Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS),
          (error instanceof EndpointError && error.details.retryAfterMs) || 0,
        );
        failures++;
        const reason = (error as Error).message;
        if (reason !== lastReason) log.warn({ reason }, 'texts are not embedded; they wait');
        lastReason = reason;
      }
      await delay(pause, undefined, { signal }).catch(() => {});
    }
  }

  /** Until nothing is left to do for now. */
  async function work(): Promise<void> {
    const since = performance.now();
    const model = await ensureModel(db, options, signal);
    while (!signal.aborted && performance.now() - since < MAX_LOCK_MS) {
      const due = await readDueTexts(db, options.batchSize * options.concurrency);
      if (due.length > 0) await embed(model, due);
      else if (!(await fill(model)) && !(await deleteRetired(db))) return;
    }
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

  async function embed(model: EmbeddingModel, due: QueuedChunk[]): Promise<void> {
    const empty = due.filter(({ text }) => !text);
    if (empty.length > 0) await dequeue(db, empty);
    const chunks = await withinQuota(due.flatMap((chunk) => toHashed(chunk) ?? []));
    const embedded = await findEmbedded(db, model.id, chunks);
    if (embedded.size > 0) {
      await storeVectors(db, { modelId: model.id, chunks: [...embedded], vectors: [], usage: new Map() });
    }
    const texts = groupByText(chunks.filter((chunk) => !embedded.has(chunk)));
    const batches: HashedChunk[][][] = [];
    for (let i = 0; i < texts.length; i += options.batchSize)
      batches.push(texts.slice(i, i + options.batchSize));
    const outcomes = await Promise.allSettled(batches.map((batch) => embedBatch(model, batch)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** @param texts the chunks of each text */
  async function embedBatch(model: EmbeddingModel, texts: HashedChunk[][]): Promise<void> {
    const { endpoint, passagePrefix: prefix } = options;
    const first = texts.map(([chunk]) => chunk as HashedChunk);
    const passages = await embedPassages(
      { endpoint, prefix, pacer, signal },
      first.map(({ text }) => text),
    );
    const vectors: NewVector[] = [];
    const done: HashedChunk[] = [];
    const usage = new Map<string, { texts: number; tokens: number }>();
    for (const [i, passage] of passages.entries()) {
      const { tenantId, hash } = first[i] as HashedChunk;
      const chunks = texts[i] as HashedChunk[];
      if (passage instanceof EndpointError) {
        await giveUpForNow(chunks, passage);
        continue;
      }
      assertDimensions(passage, model);
      vectors.push({ tenantId, hash, isCut: passage.isCut, ...quantize(passage.vector) });
      done.push(...chunks);
      const used = usage.get(tenantId) ?? { texts: 0, tokens: 0 };
      usage.set(tenantId, { texts: used.texts + 1, tokens: used.tokens + passage.tokens });
    }
    if (done.length > 0) await storeVectors(db, { modelId: model.id, chunks: done, vectors, usage });
  }

  async function giveUpForNow(chunks: HashedChunk[], { failure, message }: EndpointError): Promise<void> {
    const attempts = chunks[0]?.attempts ?? 0;
    const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
    await postpone(db, chunks, {
      error: message,
      retryTime: failure === 'text-refused' ? 'infinity' : new Date(Date.now() + wait),
      isAttempt: true,
    });
  }

  /** Those of tenants that may spend more tokens; the others wait. */
  async function withinQuota(chunks: HashedChunk[]): Promise<HashedChunk[]> {
    const { tokenQuota } = options;
    if (tokenQuota === undefined) return chunks;
    const tenantIds = [...new Set(chunks.map(({ tenantId }) => tenantId))];
    const { rows } = await sql<{ tenantId: string }>`
      select tenant_id from embedding_usage where tenant_id = any(${tenantIds}) and tokens >= ${tokenQuota}
    `.execute(db);
    const exhausted = new Set(rows.map(({ tenantId }) => tenantId));
    const late = chunks.filter(({ tenantId }) => exhausted.has(tenantId));
    if (late.length > 0) {
      const retryTime = new Date(Date.now() + LONGEST_RETRY_MS);
      await postpone(db, late, {
        error: `The tenant has used its ${tokenQuota} embedded tokens.`,
        retryTime,
        isAttempt: false,
      });
    }
    return chunks.filter(({ tenantId }) => !exhausted.has(tenantId));
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function groupByText(chunks: HashedChunk[]): HashedChunk[][] {
  const groups = new Map<string, HashedChunk[]>();
  for (const chunk of chunks) {
    const key = `${chunk.tenantId} ${chunk.hash.toString('base64')}`;
    const group = groups.get(key);
    if (group) group.push(chunk);
    else groups.set(key, [chunk]);
  }
  return [...groups.values()];
}

/** A text that failed often may be too long for an endpoint that does not say so. */
function toHashed(chunk: QueuedChunk): HashedChunk | undefined {
  const longest = MAX_TEXT_LENGTH >> Math.max(0, chunk.attempts - ATTEMPTS_BEFORE_CUT);
  const text = chunk.text?.slice(0, Math.max(1, longest));
  return text
    ? {
        ...chunk,
        text,
        hash: createHash('sha256')
          .update(chunk.text ?? '')
          .digest(),
      }
    : undefined;
}
const ATTEMPTS_BEFORE_CUT = 4;

function assertDimensions({ vector }: EmbeddedPassage, { dimensions, name }: EmbeddingModel): void {
  if (vector.length === dimensions) return;
  throw new EndpointError(
    'unavailable',
    `${name} has given vectors of ${dimensions} dimensions, and gives ${vector.length} now. Rebuild them: npx lectern search embed --rebuild`,
  );
}
