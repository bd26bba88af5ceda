import type { UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { Schema } from '../../db/schema.js';

/** Progress at the start of each stage, in per cent. */
const STAGES = { fetching: 1, parsing: 10, splitting: 10, storing: 90 } as const;
export type Stage = keyof typeof STAGES;

const INTERVAL_MS = 500;

type DocumentUpdate = UpdateQueryBuilder<Schema, 'documents', 'documents', UpdateResult>;

/**
 * Writes how far a document is, at most every half second, and finds out meanwhile whether anybody still waits.
 *
 * @param updateIfCurrent an update that matches nothing once the work is void
 * @param onSuperseded called when it is
 */
export function startProgressReporter(updateIfCurrent: () => DocumentUpdate, onSuperseded: () => void) {
  let stage: Stage = 'fetching';
  let processingProgress: number = STAGES.fetching;
  let newChunks = 0;
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    // Progress that cannot be written is no failure.
    const result = await updateIfCurrent()
      .set({ stage, processingProgress, newChunks })
      .executeTakeFirst()
      .catch(() => undefined);
    if (result?.numUpdatedRows === 0n) onSuperseded();
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, INTERVAL_MS);
  const enter = (next: Stage): void => {
    stage = next;
    processingProgress = Math.max(processingProgress, STAGES[next]);
  };

  return {
    enter,
    stage: () => stage,
    /** @param fraction of the source that is read, 0 to 1 */
    parsed(fraction: number): void {
      const percent = STAGES.parsing + Math.floor((STAGES.storing - STAGES.parsing) * fraction);
      processingProgress = Math.max(processingProgress, Math.min(percent, STAGES.storing));
    },
    drafted(count: number): void {
      if (stage === 'parsing') enter('splitting');
      newChunks += count;
    },
    write,
    /** No report comes after this: a late one would write over the end. */
    async end(): Promise<void> {
      clearInterval(timer);
      await writing;
    },
  };
}
