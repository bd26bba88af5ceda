import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import { logSaid } from '../../model-endpoint/log-said.js';
import type { Pacer } from '../../model-endpoint/pacer.js';
import { embedPassages } from './embed-passages.js';
import type { EmbeddingSettings } from './endpoint.js';
import { assertDimensions, type EmbeddingModel } from './models.js';
import { dequeue, MAX_TEXT_LENGTH, postpone, type QueuedChunk } from './queue.js';
import { toQueueError, toQuotaError } from './queue-errors.js';
import type { RequestSize } from './request-size.js';
import { findEmbedded, type HashedChunk, type NewVector, storeVectors } from './store-vectors.js';
import { quantize } from './vectors.js';

/** Until a text that failed alone, or of a tenant without quota, is tried again. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 3_600_000;
/** A text that failed more often may be too long for an endpoint that does not say so. */
const ATTEMPTS_BEFORE_CUT = 4;

export interface EmbedChunksOptions extends EmbeddingSettings {
  /** Most texts in a request. */
  batchSize: number;
  /** Requests at a time. */
  concurrency: number;
  /** Most tokens of a tenant; unlimited if undefined. */
  tokenQuota: number | undefined;
}

export interface EmbedChunksContext {
  /** Without the query guard. */
  db: Database;
  options: EmbedChunksOptions;
  pacer: Pacer;
  size: RequestSize;
  signal: AbortSignal;
  log: Logger;
}

/**
 * Embeds the texts of chunks, each once, by requests at the same time, and takes the chunks out of the queue. What fails
 * alone, or is of a tenant without quota, is postponed.
 *
 * @throws EndpointError when the endpoint embeds nothing; what it has embedded is stored
 */
export async function embedChunks(
  context: EmbedChunksContext,
  model: EmbeddingModel,
  due: QueuedChunk[],
): Promise<void> {
  const { db, options, size } = context;
  const empty = due.filter(({ text }) => !text);
  if (empty.length > 0) await dequeue(db, empty);
  const chunks = await withinQuota(
    context,
    due.flatMap((chunk) => toHashed(chunk) ?? []),
  );
  const embedded = await findEmbedded(db, model.id, chunks);
  if (embedded.size > 0) {
    await storeVectors(db, { modelId: model.id, chunks: [...embedded], vectors: [], usage: new Map() });
  }
  const texts = groupByText(chunks.filter((chunk) => !embedded.has(chunk)));
  let hasFailed = false;
  const embedRest = async () => {
    try {
      while (texts.length > 0 && !hasFailed) {
        await embedBatch(context, model, takeBatch(context, texts));
        if (size.pauseMs > 0) await delay(size.pauseMs, undefined, { signal: context.signal });
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const lanes = Array.from({ length: size.isShort ? 1 : options.concurrency }, embedRest);
  const outcomes = await Promise.allSettled(lanes);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Takes the texts of the next request: at least one. */
function takeBatch({ options, size }: EmbedChunksContext, texts: HashedChunk[][]): HashedChunk[][] {
  let count = 0;
  for (let characters = 0; count < Math.min(texts.length, options.batchSize); count++) {
    characters += texts[count]?.[0]?.text.length ?? 0;
    if (count > 0 && characters > size.maxCharacters) break;
  }
  return texts.splice(0, count);
}

/** @param texts the chunks of each text */
async function embedBatch(
  { db, options, pacer, size, signal, log }: EmbedChunksContext,
  model: EmbeddingModel,
  texts: HashedChunk[][],
): Promise<void> {
  const { endpoint } = options;
  const { passagePrefix: prefix } = model;
  const first = texts.map(([chunk]) => chunk as HashedChunk);
  const passages = await embedPassages(
    { endpoint, prefix, pacer, size, signal },
    first.map(({ text }) => text),
  );
  const vectors: NewVector[] = [];
  const done: HashedChunk[] = [];
  const usage = new Map<string, { texts: number; tokens: number }>();
  for (const [i, passage] of passages.entries()) {
    const { tenantId, hash } = first[i] as HashedChunk;
    const chunks = texts[i] as HashedChunk[];
    if (passage instanceof EndpointError) {
      logSaid(log, passage);
      await giveUpForNow(db, chunks, passage);
      continue;
    }
    assertDimensions(passage.vector, model);
    vectors.push({ tenantId, hash, isCut: passage.isCut, ...quantize(passage.vector) });
    done.push(...chunks);
    const used = usage.get(tenantId) ?? { texts: 0, tokens: 0 };
    usage.set(tenantId, { texts: used.texts + 1, tokens: used.tokens + passage.tokens });
  }
  if (done.length > 0) await storeVectors(db, { modelId: model.id, chunks: done, vectors, usage });
}

async function giveUpForNow(db: Database, chunks: HashedChunk[], error: EndpointError): Promise<void> {
  const attempts = chunks[0]?.attempts ?? 0;
  const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
  await postpone(db, chunks, {
    error: toQueueError(error),
    retryMs: error.isOfRequest ? undefined : wait,
    isAttempt: true,
  });
}

/** Those of tenants that may spend more tokens; the others wait. */
async function withinQuota(
  { db, options: { tokenQuota } }: EmbedChunksContext,
  chunks: HashedChunk[],
): Promise<HashedChunk[]> {
  if (tokenQuota === undefined) return chunks;
  const tenantIds = [...new Set(chunks.map(({ tenantId }) => tenantId))];
  const { rows } = await sql<{ tenantId: string }>`
    select tenant_id from embedding_usage where tenant_id = any(${tenantIds}) and tokens >= ${tokenQuota}
  `.execute(db);
  const exhausted = new Set(rows.map(({ tenantId }) => tenantId));
  const late = chunks.filter(({ tenantId }) => exhausted.has(tenantId));
  if (late.length > 0) {
    await postpone(db, late, {
      error: toQuotaError(tokenQuota),
      retryMs: LONGEST_RETRY_MS,
      isAttempt: false,
    });
  }
  return chunks.filter(({ tenantId }) => !exhausted.has(tenantId));
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
