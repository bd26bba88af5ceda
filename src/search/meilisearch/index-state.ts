import { type Selectable, sql } from 'kysely';
import type { Database, IndexRebuild, Queryable, SearchIndexTable } from '../../../db/schema.js';
import { DOCUMENT_FORMAT } from './index-document.js';

/** State of the external index, as recorded in this database. */
export type IndexState = Omit<Selectable<SearchIndexTable>, 'onlyRow'>;

/** Whether the live index is of a former release: its documents lack what searches ask for. */
export const hasFormerDocuments = ({ format, generation }: IndexState): boolean =>
  format !== DOCUMENT_FORMAT && generation > 0;

/** Whether the documents of the live index should have other custom properties. */
export const hasOtherProperties = (
  { propertyNames, generation }: IndexState,
  wanted: readonly string[],
): boolean => generation > 0 && propertyNames.join() !== wanted.join();

/** Enables the outbox: from now on changes are recorded for the external index. */
export async function enableOutbox(db: Database): Promise<void> {
  if (await readIndexState(db)) return;
  await db.transaction().execute(async (tx) => {
    // Waits for transactions that saw no index and recorded nothing.
    await sql`lock table search_index in access exclusive mode`.execute(tx);
    await sql`insert into search_index default values on conflict do nothing`.execute(tx);
  });
}

export async function readIndexState(db: Queryable): Promise<IndexState | undefined> {
  return db.selectFrom('searchIndex').selectAll().executeTakeFirst();
}

export async function recordSyncSuccess(db: Queryable): Promise<void> {
  await sql`
    update search_index set synced_time = now(), error = null, error_time = null,
      filling = filling and (filled_to is not null
        or exists (select from search_outbox as o where o.filling and o.error is null))
  `.execute(db);
}

export async function recordSyncFailure(db: Queryable, error: string): Promise<void> {
  await sql`update search_index set error = ${error}, error_time = now()`.execute(db);
}

/** Allocates a checkpoint that is larger than that of any earlier batch. */
export async function allocateCheckpoint(db: Queryable): Promise<number> {
  const { rows } = await sql<{ checkpoint: number }>`
    select nextval('search_outbox_revision') as checkpoint
  `.execute(db);
  return rows[0]?.checkpoint as number;
}

/** From now on an index with a lower checkpoint counts as incomplete. */
export async function advanceCheckpoint(db: Queryable, checkpoint: number): Promise<void> {
  await sql`update search_index set checkpoint = greatest(checkpoint, ${checkpoint})`.execute(db);
}

/** @param propertyNames of the custom properties that documents have from now on */
export async function startRebuild(
  tx: Queryable,
  rebuild: IndexRebuild,
  propertyNames: readonly string[],
): Promise<void> {
  await tx.deleteFrom('searchReplay').execute();
  await tx
    .updateTable('searchIndex')
    .set({ rebuild: JSON.stringify(rebuild), propertyNames: [...propertyNames] })
    .execute();
}

/** Records the progress of a rebuild. A backfill of a lost live index cancels the rebuild. */
export async function saveRebuildProgress(db: Queryable, rebuild: IndexRebuild): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('searchIndex')
    .set({ rebuild: JSON.stringify(rebuild) })
    .where(sql<string>`rebuild->>'uid'`, '=', rebuild.uid)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new Error('The live index was lost and is being backfilled, so this rebuild was cancelled.');
  }
}
