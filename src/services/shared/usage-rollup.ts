import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { type RollupWorker, startRollup } from './rollup-worker.js';
import { ROLLUP_BATCH_SIZE, rollUpUsage } from './tenant-usage.js';

/** Rolls up usage changes in the background. */
export const startUsageRollup = ({ db, log }: { db: Database; log: Logger }): RollupWorker =>
  startRollup({
    what: 'usage changes',
    step: async () => (await rollUpUsage(db)) === ROLLUP_BATCH_SIZE,
    log,
  });
