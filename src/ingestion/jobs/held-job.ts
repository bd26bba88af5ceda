import type { ExpressionBuilder } from 'kysely';
import type { Queryable, Schema } from '../../../db/schema.js';
import type { ClaimedJob } from './claim-job.js';

/** Neither removed, nor replaced, nor claimed by another worker since. */
export const isHeld =
  ({ tenantId, documentId, sequence, leaseOwner }: ClaimedJob) =>
  (eb: ExpressionBuilder<Schema, 'processingJobs'>) =>
    eb.and({ tenantId, documentId, sequence, leaseOwner });

/** Whether a job is still held. Whoever asks has locked its document, so that nobody replaces the job meanwhile. */
export async function readIsHeld(tx: Queryable, job: ClaimedJob): Promise<boolean> {
  const held = await tx.selectFrom('processingJobs').select('sequence').where(isHeld(job)).executeTakeFirst();
  return held !== undefined;
}
