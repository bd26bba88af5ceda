import type { Database } from '../../db/schema.js';
import { createSweepIngestion } from '../ingestion/sweep.js';
import { sweepActivity } from '../metrics/store-activity.js';
import { sweepUnusedVectors } from '../search/embedding/retired-models.js';
import type { Files } from '../services/files/files.js';
import { sweepSessions } from '../services/sessions/sweep.js';
import { sweepIdempotencyKeys } from '../services/shared/idempotency.js';
import { sweepWebhooks } from '../webhooks/sweep.js';
import type { Guards } from './request-guards.js';

interface SweepsDependencies {
  db: Database;
  files: Files;
  guards: Guards;
  tempDir: string;
  clock: () => Date;
}

/** Each removes what is left over. */
export const createSweeps = ({
  db,
  files,
  guards,
  tempDir,
  clock,
}: SweepsDependencies): (() => Promise<unknown>)[] => [
  () => files.sweep(db),
  createSweepIngestion({ db, tempDir, clock }),
  () => guards.sweep(),
  () => sweepIdempotencyKeys(db, clock()),
  () => sweepSessions(db, clock()),
  () => sweepWebhooks(db, clock()),
  () => sweepUnusedVectors(db),
  () => sweepActivity(db),
];
