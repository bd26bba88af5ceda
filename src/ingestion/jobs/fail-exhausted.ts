import { sql } from 'kysely';
import type { Database, DocumentFailure } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import { documentListChanges, listedDocumentColumns } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import type { FailureCode } from '../../errors/failure-codes.js';
import { documentEventColumns } from '../../webhook-delivery/events.js';
import { emitDocumentOutcome } from '../emit-outcome.js';
import type { ClaimedJob } from './claim-job.js';
import { readIsHeld } from './held-job.js';

export const WORKER_DIED = 'worker_died';
const FAILURE: DocumentFailure & { code: FailureCode } = {
  code: WORKER_DIED,
  stage: 'parsing',
  message: 'Processing this document ended its worker every time; the file may be damaged or too large.',
  retryable: false,
};

/**
 * Marks the document of an exhausted job as failed. Does nothing if the job is not held any more.
 *
 * @returns whether it was marked
 */
export async function failExhausted(db: Database, job: ClaimedJob): Promise<boolean> {
  const { tenantId, documentId } = job;
  return tenantTransaction(db, tenantId, async (tx) => {
    const underWay = await tx
      .selectFrom('documents')
      .select('id')
      .where('tenantId', '=', tenantId)
      .where('id', '=', documentId)
      .where('status', '=', 'processing')
      .forUpdate()
      .executeTakeFirst();
    if (!underWay || !(await readIsHeld(tx, job))) return false;
    const failed = await tx
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
      .returning([...documentEventColumns, ...listedDocumentColumns])
      .executeTakeFirstOrThrow();
    await writeCounts(tx, {
      lists: documentListChanges({ before: [{ ...failed, status: 'processing' }], after: [failed] }),
    });
    await emitDocumentOutcome(tx, failed);
    return true;
  });
}
