import { setTimeout as delay } from 'node:timers/promises';
import { olderWritesEnded, TRANSACTION_STAYS_OPEN } from '../../../db/older-writes.js';
import type { Database } from '../../../db/schema.js';
import { keyCachesExpired } from '../../auth/key-cache.js';
import { conflict } from '../../errors/errors.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { type DeletedBatch, type DeleteRowsContext, deleteTenantRows } from './delete-rows.js';
import { deleteTraces, hasTraces } from './delete-traces.js';
import { countTenantFiles, countTenantRows, readTenantTables, type TenantTable } from './tenant-tables.js';

/** Processes end requests of revoked keys every two seconds, and store what they count every five. */
const SETTLE_MS = 6_000;
/** How often rows may come back before somebody has to stop what writes them. */
const MAX_ROUNDS = 10;

export interface TenantContents {
  /** Rows by table. */
  tables: Record<string, number>;
  rows: number;
  /** Files in the storage. */
  files: number;
}

export interface DeletedContents extends TenantContents {
  /** Files that rows named and the storage did not have. */
  missingFiles: number;
}

export interface DeleteTenantOptions {
  db: Database;
  storage: Pick<FileStorage, 'remove'>;
  tenantId: string;
  clock: () => Date;
  /** Told of each step and batch. */
  onStep?: (step: DeletionStep) => void;
}

export type DeletionStep =
  | { step: 'revoked'; keys: number }
  | { step: 'deleting'; rows: number }
  | { step: 'settling' };

/** What a tenant has. Nothing is changed. */
export async function countTenant(db: Database, tenantId: string): Promise<TenantContents> {
  const tables = await readTenantTables(db);
  const counts = await countTenantRows(db, tables, tenantId);
  const files = await countTenantFiles(db, tables, tenantId);
  return toContents(counts, files);
}

/**
 * Deletes everything of a tenant: its keys are revoked first, then rows and files go in batches, until nothing has come
 * back for longer than any process takes to store what it has counted. May be ended at any point and begun again.
 *
 * @returns what was deleted
 * @throws DomainError `conflict` where something goes on writing
 */
export async function deleteTenant(options: DeleteTenantOptions): Promise<DeletedContents> {
  const { db, tenantId, onStep = () => {} } = options;
  const tables = await readTenantTables(db);
  onStep({ step: 'revoked', keys: await endAccess(options) });
  await supersedeProcessing(db, tenantId);
  const deleted = new Map<string, number>();
  let [files, missingFiles, rows] = [0, 0, 0];
  const context = {
    ...options,
    onDeleted(table: string, batch: DeletedBatch) {
      deleted.set(table, (deleted.get(table) ?? 0) + batch.rows);
      files += batch.files;
      missingFiles += batch.missingFiles;
      rows += batch.rows;
      onStep({ step: 'deleting', rows });
    },
  };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await deleteTraces(db, tenantId);
    // Rows that are deleted leave changes of counters, which are rows, too.
    while ((await deleteAll(context, tables)) > 0);
    await deleteTraces(db, tenantId);
    onStep({ step: 'settling' });
    await delay(SETTLE_MS);
    if (!(await olderWritesEnded(db))) throw conflict(TRANSACTION_STAYS_OPEN, []);
    if (await isGone(db, tables, tenantId)) return { ...toContents(deleted, files), missingFiles };
  }
  const left = await countTenantRows(db, tables, tenantId);
  const names = [...left].filter(([, count]) => count > 0).map(([name]) => name);
  throw conflict(
    `Something goes on writing for this tenant (${names.join(', ') || 'rate limits'}). Stop it, then run this again.`,
    [],
  );
}

async function deleteAll(context: DeleteRowsContext, tables: TenantTable[]): Promise<number> {
  let rows = 0;
  for (const table of tables) rows += await deleteTenantRows(context, table);
  return rows;
}

/** Ends keys and sessions. When this resolves, every process rejects them. */
async function endAccess({ db, tenantId, clock }: DeleteTenantOptions): Promise<number> {
  const now = clock();
  const { numUpdatedRows } = await db
    .updateTable('apiKeys')
    .set({ revokedTime: now })
    .where('tenantId', '=', tenantId)
    .where('revokedTime', 'is', null)
    .executeTakeFirst();
  // Keys refer to their successors, and are deleted in batches.
  await db
    .updateTable('apiKeys')
    .set({ successorId: null })
    .where('tenantId', '=', tenantId)
    .where('successorId', 'is not', null)
    .execute();
  await db.deleteFrom('sessions').where('tenantId', '=', tenantId).execute();
  await db.deleteFrom('userSessions').where('tenantId', '=', tenantId).execute();
  await keyCachesExpired();
  return Number(numUpdatedRows);
}

/** Workers that are at a document of another revision store nothing. */
async function supersedeProcessing(db: Database, tenantId: string): Promise<void> {
  await db.deleteFrom('processingJobs').where('tenantId', '=', tenantId).execute();
  await db
    .updateTable('documents')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('tenantId', '=', tenantId)
    .where('status', 'in', ['created', 'processing'])
    .execute();
}

async function isGone(db: Database, tables: TenantTable[], tenantId: string): Promise<boolean> {
  const counts = await countTenantRows(db, tables, tenantId);
  return [...counts.values()].every((count) => count === 0) && !(await hasTraces(db, tenantId));
}

function toContents(counts: Map<string, number>, files: number): TenantContents {
  const tables = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { tables, rows: [...counts.values()].reduce((sum, count) => sum + count, 0), files };
}
