import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the transaction that wrote a row of a queue is over on all nodes of a cluster. The row is seen as soon as that has
 * committed on the coordinator, which has the queue, and a moment later what it is about on the node that has it: who read
 * that at once would take an old text for the new one, and a new chunk for one that is gone. Until then the coordinator's
 * transaction keeps the lock on its number. On a single server a row that is seen passes.
 */
export const isCommitted = (table: string): RawBuilder<boolean> => sql<boolean>`
  ${sql.ref(`${table}.xmin`)} <> all (array(select transactionid from pg_locks where locktype = 'transactionid'))`;
