import { type RawBuilder, sql } from 'kysely';
import type { Prune } from '../../../db/prune.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';

/** An outage is shorter, and somebody tries then. */
const ABANDONED_AFTER = '30 days';
/** Writes wait as long; in vain, the next sweep tries again. */
const LOCK_TIMEOUT = '500ms';

/**
 * Empties the queues of a search server and of an embedding model that no process has been configured for in a month:
 * every change would be queued forever. Who configures them again has the index filled anew, and all texts queued; vectors
 * that are stored are used again.
 */
export async function* emptyAbandonedQueues(database: Database): Prune {
  const db = unscoped(database, 'One queue has the changes of all tenants.');
  if (await isIndexAbandoned(db)) yield await emptyOutbox(db);
  if (await isModelAbandoned(db)) yield await emptyEmbeddingQueue(db);
}

const isIndexAbandoned = (db: Queryable) =>
  holds(
    db,
    sql`exists (select from search_index where greatest(synced_time, error_time) < now() - ${ABANDONED_AFTER}::interval)`,
  );

const isModelAbandoned = (db: Queryable) =>
  holds(
    db,
    sql`exists (select from embedding_queue)
      and (select max(seen_time) from embedding_models) < now() - ${ABANDONED_AFTER}::interval`,
  );

async function holds(db: Queryable, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`select ${condition} as holds`.execute(db);
  return rows[0]?.holds ?? false;
}

const emptyOutbox = (db: Database): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx);
    // Writers look into this table first: those that saw a row have ended when the lock is had.
    await sql`lock table search_index, search_outbox, search_replay in access exclusive mode`.execute(tx);
    if (!(await isIndexAbandoned(tx))) return 0;
    const { rows } = await sql<{ count: number }>`select count(*) as count from search_outbox`.execute(tx);
    await sql`delete from search_index`.execute(tx);
    await sql`truncate search_outbox, search_replay`.execute(tx);
    return rows[0]?.count ?? 0;
  });

const emptyEmbeddingQueue = (db: Database): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx);
    await sql`lock table embedding_models, embedding_queue in access exclusive mode`.execute(tx);
    if (!(await isModelAbandoned(tx))) return 0;
    const { rows } = await sql<{ count: number }>`select count(*) as count from embedding_queue`.execute(tx);
    await sql`truncate embedding_queue`.execute(tx);
    // From the first chunk on, when somebody is there to embed.
    await sql`update embedding_models set is_filled = false, filled_tenant_id = '', filled_chunk_id = ''`.execute(
      tx,
    );
    return rows[0]?.count ?? 0;
  });
