import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { writeChunksGone } from '../../search/index-writer.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { rollUpLists } from '../shared/lists/list-rollup.js';
import { FILE_COLUMN, type TenantTable } from './tenant-tables.js';

/** Rows of a transaction; with files, each of which is a request to the storage. */
const BATCH = 1_000;
const FILE_BATCH = 100;
const FILES_AT_ONCE = 10;
/** Deadlocks with writes under way are tried again. */
const MAX_DEADLOCKS = 20;
const RETRY_MS = 200;
/** A rollup of another process may take a while. */
const ROLLUP_ATTEMPTS = 1_500;

export interface DeleteRowsContext {
  db: Database;
  storage: Pick<FileStorage, 'remove'>;
  tenantId: string;
  /** Told of each batch. */
  onDeleted: (table: string, deleted: { rows: number; files: number }) => void;
}

/**
 * Deletes all rows of the tenant in a table, by batches that are transactions of their own: after a kill the next call
 * goes on.
 *
 * @returns how many there were
 */
export async function deleteTenantRows(context: DeleteRowsContext, table: TenantTable): Promise<number> {
  // Counters of all tenants lack these changes: they are folded, which deletes them.
  if (table.name === 'list_changes') return foldChanges(context);
  const hasFiles = table.columns.includes(FILE_COLUMN);
  let total = 0;
  for (;;) {
    const rows = await retryDeadlocks(() => deleteBatch(context, table, hasFiles));
    if (rows === 0) return total;
    total += rows;
    context.onDeleted(table.name, { rows, files: hasFiles ? rows : 0 });
  }
}

function deleteBatch(
  { db, storage, tenantId }: DeleteRowsContext,
  { name }: TenantTable,
  hasFiles: boolean,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // The audit log keeps its rows otherwise.
    await sql`select set_config('lectern.deleted_tenant', ${tenantId}, true)`.execute(tx);
    if (hasFiles) return deleteWithFiles(tx, storage, { name, tenantId });
    const some = sql`select ctid from ${sql.table(name)} where tenant_id = ${tenantId} limit ${BATCH}`;
    const chunkColumn = CHUNK_COLUMNS[name];
    if (chunkColumn === undefined) return deleteAt(tx, { name, tenantId }, some);
    const { rows } = await sql<{ chunkId: string }>`
      delete from ${sql.table(name)} where tenant_id = ${tenantId} and ctid = any(array(${some}))
      returning ${sql.ref(chunkColumn)} as chunk_id
    `.execute(tx);
    await writeChunksGone(
      tx,
      rows.map(({ chunkId }) => chunkId),
    );
    return rows.length;
  });
}

/** Tables whose rows are chunks that a search server has, or is yet to hear of: its index is to lose them. */
const CHUNK_COLUMNS: Partial<Record<string, string>> = {
  chunks: 'id',
  search_outbox: 'chunk_id',
  search_replay: 'chunk_id',
};

interface TableOfTenant {
  name: string;
  tenantId: string;
}

async function deleteAt(
  tx: Queryable,
  { name, tenantId }: TableOfTenant,
  places: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(name)} where tenant_id = ${tenantId} and ctid = any(array(${places}))
  `.execute(tx);
  return Number(numAffectedRows);
}

/** The files go first, and the rows in the same transaction: after a kill the rows still name their files. */
async function deleteWithFiles(
  tx: Queryable,
  storage: Pick<FileStorage, 'remove'>,
  { name, tenantId }: TableOfTenant,
): Promise<number> {
  const { rows } = await sql<{ place: string; fileKey: string | null }>`
    select ctid::text as place, ${sql.ref(FILE_COLUMN)} as file_key from ${sql.table(name)}
    where tenant_id = ${tenantId} limit ${FILE_BATCH} for update
  `.execute(tx);
  const keys = rows.flatMap(({ fileKey }) => fileKey ?? []);
  for (let i = 0; i < keys.length; i += FILES_AT_ONCE) {
    await Promise.all(keys.slice(i, i + FILES_AT_ONCE).map((key) => storage.remove(key)));
  }
  if (rows.length === 0) return 0;
  return deleteAt(tx, { name, tenantId }, sql`select unnest(${rows.map(({ place }) => place)}::tid[])`);
}

async function foldChanges({ db, tenantId, onDeleted }: DeleteRowsContext): Promise<number> {
  const before = await countListChanges(db, tenantId);
  for (let attempt = 0, left = before; left > 0; attempt++) {
    if (attempt === ROLLUP_ATTEMPTS) throw new Error('The changes of lists could not be rolled up.');
    if (!(await rollUpLists(db))) await delay(RETRY_MS);
    left = await countListChanges(db, tenantId);
  }
  if (before > 0) onDeleted('list_changes', { rows: before, files: 0 });
  return before;
}

async function countListChanges(db: Database, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('listChanges')
    .where('tenantId', '=', tenantId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isDeadlock = (error as { code?: string }).code === DEADLOCK_DETECTED;
      if (!isDeadlock || attempt === MAX_DEADLOCKS) throw error;
      await delay(RETRY_MS);
    }
  }
}

const DEADLOCK_DETECTED = '40P01';
