import { sql } from 'kysely';
import type { Database, DocumentFailure, Queryable } from '../../../db/schema.js';
import { withTenantRole } from '../../../db/tenant-isolation/tenant-transaction.js';
import { documentEventColumns } from '../../webhooks/events.js';
import { emitDocumentOutcome } from '../emit-outcome.js';
import { type DocumentKey, PROCESS_DOCUMENT } from './job-queue.js';

const FAILURE: DocumentFailure = {
  code: 'worker_died',
  stage: 'parsing',
  message: 'Processing this document ended its worker every time; the file may be damaged or too large.',
  retryable: false,
};

/**
 * A job is given up when too many of its workers died. Nobody was left to say so in the document: that is done here,
 * and the job cleared away.
 */
export const createFailExhausted = (db: Database) => async (): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; key: string | null; payload: DocumentKey }>`
      select jobs.id::text, jobs.key, jobs.payload
      from graphile_worker._private_jobs as jobs
      join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
      where tasks.identifier = ${PROCESS_DOCUMENT} and attempts >= max_attempts and locked_at is null
      limit 100
    `.execute(tx);
    if (rows.length === 0) return;
    for (const { key, payload } of rows) {
      // Without its key it is an old job, and its document has a new one or needs none.
      if (key === null) continue;
      await withTenantRole(tx, payload.tenantId, () => markFailed(tx, payload));
    }
    const ids = rows.map(({ id }) => id);
    await sql`select graphile_worker.complete_jobs(${ids}::bigint[])`.execute(tx);
  });
};

async function markFailed(tx: Queryable, { tenantId, documentId }: DocumentKey): Promise<void> {
  const told = await tx
    .updateTable('documents')
    .set((eb) => ({
      status: 'failed',
      stage: null,
      newChunks: 0,
      error: sql<string>`${JSON.stringify(FAILURE)}::jsonb
        || jsonb_build_object('stage', coalesce(${eb.ref('stage')}, ${FAILURE.stage}))`,
    }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', documentId)
    .where('status', '=', 'processing')
    .returning(documentEventColumns)
    .executeTakeFirst();
  if (told) await emitDocumentOutcome(tx, told);
}
