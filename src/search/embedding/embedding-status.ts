import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import type { EmbeddingStatus } from '../operations/search-operations.js';
import { describeQueueError } from './queue-errors.js';

/** Failures that are shown. */
const MAX_LISTED = 10;

/**
 * How far texts are embedded; null where no model was ever configured.
 *
 * @param db without the query guard
 */
export async function readEmbeddingStatus(db: Queryable): Promise<EmbeddingStatus | null> {
  const models = await db
    .selectFrom('embeddingModels')
    .select(['name', 'url', 'dimensions', 'scripts', 'status', 'isFilled'])
    .where('status', 'in', ['live', 'filling'])
    .execute();
  const live = models.find(({ status }) => status === 'live');
  if (!live) return null;
  const next = models.find(({ status }) => status === 'filling');
  const { rows } = await sql<Pick<EmbeddingStatus, 'waiting' | 'failed' | 'texts' | 'tokens'>>`
    select
      (select count(*) from embedding_queue) as waiting,
      (select count(*) from embedding_queue where error is not null) as failed,
      (select coalesce(sum(texts), 0)::bigint from embedding_usage) as texts,
      (select coalesce(sum(tokens), 0)::bigint from embedding_usage) as tokens
  `.execute(db);
  const errors = await db
    .selectFrom('embeddingQueue')
    .select(['chunkId', 'error'])
    .where('error', 'is not', null)
    .orderBy('retryTime')
    .limit(MAX_LISTED)
    .$narrowType<{ error: string }>()
    .execute();
  const { name, url, dimensions, scripts, isFilled } = live;
  return {
    model: name,
    url,
    dimensions,
    scripts,
    filled: isFilled,
    next: next?.name ?? null,
    ...(rows[0] as Pick<EmbeddingStatus, 'waiting' | 'failed' | 'texts' | 'tokens'>),
    errors: errors.map(({ chunkId, error }) => ({ chunkId, error: describeQueueError(error) })),
  };
}
