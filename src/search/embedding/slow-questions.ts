import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Queryable } from '../../../db/schema.js';
import type { EmbeddingModel } from './models.js';

/** So long after a question was slow, and while others are asked, requests with texts are short. */
const CONSIDERED_FOR = '10 minutes';
/** Between two statements of a process about it. */
const MARK_INTERVAL_MS = 2_000;
const RENEWAL_INTERVAL_MS = 60_000;

/** Told how long the endpoint has taken for a question. */
export type QuestionTimer = (model: EmbeddingModel, tookMs: number) => void;

/**
 * Records questions that had to wait for longer than `slowMs`, for the process that embeds texts by the same endpoint: it
 * shares no more than the database.
 */
export function createQuestionTimer({
  db,
  slowMs,
  log,
}: {
  db: Database;
  slowMs: number;
  log: Logger;
}): QuestionTimer {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return (model, tookMs) => {
    const isSlow = tookMs > slowMs;
    if (!isSlow && !model.slowQuestionTime) return;
    const now = performance.now();
    if (now - writtenAt < (isSlow ? MARK_INTERVAL_MS : RENEWAL_INTERVAL_MS)) return;
    writtenAt = now;
    write(db, model.id, isSlow).catch((error) =>
      log.debug({ err: error }, 'could not record a slow question'),
    );
  };
}

/** Questions that are answered soon, since requests are short, keep them short. */
const write = (db: Database, modelId: number, isSlow: boolean) =>
  sql`
    update embedding_models set slow_question_time = now()
    where id = ${modelId} and (${isSlow} or slow_question_time > now() - ${CONSIDERED_FOR}::interval)
  `.execute(db);

/** Whether questions to the endpoint were slow lately. */
export async function wereQuestionsSlow(db: Queryable, url: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from embedding_models
      where url = ${url} and status <> 'retired' and slow_question_time > now() - ${CONSIDERED_FOR}::interval) as found
  `.execute(db);
  return rows[0]?.found ?? false;
}
