import { sql } from 'kysely';
import type { Database, DocumentFailure } from '../../db/schema.js';
import { PROCESS_DOCUMENT } from './job-queue.js';

const FAILURE: DocumentFailure = {
  code: 'worker_died',
  stage: 'parsing',
  message: 'Processing this document ended its worker every time; the file may be damaged or too large.',
  retryable: false,
};

/**
 * A job is given up after its last attempt. Where that attempt ended with the worker, nobody was left to say so
 * in the document: that is done here, and the job cleared away.
 */
export const createFailExhausted = (db: Database) => async (): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; key: string | null }>`
      select id::text, key from graphile_worker.jobs
      where task_identifier = ${PROCESS_DOCUMENT} and attempts >= max_attempts and locked_at is null
      limit 100
    `.execute(tx);
    if (rows.length === 0) return;
    for (const { key } of rows) {
      const [tenantId, documentId] = JSON.parse(key ?? '[]');
      if (tenantId === undefined) continue;
      await tx
        .updateTable('documents')
        .set({ status: 'failed', stage: null, error: JSON.stringify(FAILURE) })
        .where('tenantId', '=', tenantId)
        .where('id', '=', documentId)
        .where('status', '=', 'processing')
        .execute();
    }
    const ids = rows.map(({ id }) => id);
    await sql`select graphile_worker.complete_jobs(${ids}::bigint[])`.execute(tx);
  });
};
