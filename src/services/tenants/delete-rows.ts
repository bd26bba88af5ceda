import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { FILE_COLUMN } from '../../../db/catalog.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { writeChunksGone } from '../../search/indexing/index-writer.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { countDeleted, countedColumns } from './count-deleted.js';
import type { TenantTable } from './tenant-tables.js';

/** Rows of a transaction; with files, each of which is a request to the storage. */
const BATCH = 1_000;
const FILE_BATCH = 100;
const FILES_AT_ONCE = 10;
/** Deadlocks with writes under way are tried again. */
const MAX_DEADLOCKS = 20;
const RETRY_MS = 200;

export interface DeleteRowsContext {
  db: Database;
  storage: Pick<FileStorage, 'remove'>;
  tenantId: string;
  /** Told of each batch. */
  onDeleted: (table: string, deleted: DeletedBatch) => void;
}

export interface DeletedBatch {
  rows: number;
  files: number;
  /** Named by the rows, and not in the storage. */
  missingFiles: number;
}

/**
 * Deletes all rows of the tenant in a table, by batches that are transactions of their own: after a kill the next call
 * goes on.
 *
 * @returns how many there were
 */
export async function deleteTenantRows(context: DeleteRowsContext, table: TenantTable): Promise<number> {
  const hasFiles = table.columns.includes(FILE_COLUMN);
  let total = 0;
  for (;;) {
    const batch = await retryDeadlocks(() => deleteBatch(context, table, hasFiles));
    if (batch.rows === 0) return total;
    total += batch.rows;
    context.onDeleted(table.name, batch);
  }
}

function deleteBatch(
  { db, storage, tenantId }: DeleteRowsContext,
  table: TenantTable,
  hasFiles: boolean,
): Promise<DeletedBatch> {
  return db.transaction().execute(async (tx) => {
    const name = await findPart(tx, table, tenantId);
    if (hasFiles) return deleteWithFiles(tx, storage, { name, tenantId });
    const some = sql`select ctid from ${sql.table(name)} where tenant_id = ${tenantId} limit ${BATCH}`;
    const rows = await deleteAt(tx, { name, tenantId }, some);
    return { rows: rows.length, ...NO_FILES };
  });
}

const NO_FILES = { files: 0, missingFiles: 0 };

/** Places of rows are those of one table: of a partitioned one, a partition that has rows of the tenant. */
async function findPart(
  tx: Queryable,
  { name, isPartitioned }: TenantTable,
  tenantId: string,
): Promise<string> {
  if (!isPartitioned) return name;
  const { rows: parts } = await sql<{ part: string }>`
    select relname::text as part from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${name}::regclass
  `.execute(tx);
  for (const { part } of parts) {
    const { rows } = await sql`
      select 1 from ${sql.table(part)} where tenant_id = ${tenantId} limit 1
    `.execute(tx);
    if (rows.length > 0) return part;
  }
  return name;
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
): Promise<unknown[]> {
  const chunkColumn = CHUNK_COLUMNS[name];
  const columns = [
    ...countedColumns(name).map((column) => sql.ref(column)),
    ...(chunkColumn === undefined ? [] : [sql`${sql.ref(chunkColumn)} as chunk_id`]),
  ];
  const { rows } = await sql<{ chunkId: string }>`
    delete from ${sql.table(name)} where tenant_id = ${tenantId} and ctid = any(array(${places}))
    returning ${columns.length > 0 ? sql.join(columns) : sql`1`}
  `.execute(tx);
  await countDeleted(tx, name, tenantId, rows);
  if (chunkColumn !== undefined) {
    await writeChunksGone(
      tx,
      rows.map(({ chunkId }) => chunkId),
    );
  }
  return rows;
}

/** The files go first, and the rows in the same transaction: after a kill the rows still name their files. */
async function deleteWithFiles(
  tx: Queryable,
  storage: Pick<FileStorage, 'remove'>,
  { name, tenantId }: TableOfTenant,
): Promise<DeletedBatch> {
  const { rows } = await sql<{ place: string; fileKey: string | null }>`
    select ctid::text as place, ${sql.ref(FILE_COLUMN)} as file_key from ${sql.table(name)}
    where tenant_id = ${tenantId} limit ${FILE_BATCH} for update
  `.execute(tx);
  const keys = rows.flatMap(({ fileKey }) => fileKey ?? []);
  let files = 0;
  for (let i = 0; i < keys.length; i += FILES_AT_ONCE) {
    const removed = await Promise.all(keys.slice(i, i + FILES_AT_ONCE).map((key) => storage.remove(key)));
    files += removed.filter(Boolean).length;
  }
  if (rows.length === 0) return { rows: 0, ...NO_FILES };
  const places = sql`select unnest(${rows.map(({ place }) => place)}::tid[])`;
  const deleted = await deleteAt(tx, { name, tenantId }, places);
  return { rows: deleted.length, files, missingFiles: keys.length - files };
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
