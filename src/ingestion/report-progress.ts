import type { UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { Schema } from '../../db/schema.js';

/** Progress at the start of each stage, in per cent. */
const STAGES = { fetching: 1, parsing: 10, extracting: 10, splitting: 10, storing: 90 } as const;
export type Stage = keyof typeof STAGES;

const INTERVAL_MS = 500;

type DocumentUpdate = UpdateQueryBuilder<Schema, 'documents', 'documents', UpdateResult>;

/**
 * Writes progress at most every half second, and detects whether the attempt has been superseded.
 *
 * @param updateIfCurrent an update that matches no row once the attempt is superseded
 * @param onSuperseded called then
 */
export function startProgressReporter(updateIfCurrent: () => DocumentUpdate, onSuperseded: () => void) {
  let stage: Stage = 'fetching';
  let enteredMs = performance.now();
  const stageMs: Partial<Record<Stage, number>> = {};
  let processingProgress: number = STAGES.fetching;
  let newChunks = 0;
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    // A failed progress update is ignored.
    const result = await updateIfCurrent()
      .set({ stage, processingProgress, newChunks })
      .executeTakeFirst()
      .catch(() => undefined);
    if (result?.numUpdatedRows === 0n) onSuperseded();
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, INTERVAL_MS);
  const measure = (): void => {
    const now = performance.now();
    stageMs[stage] = (stageMs[stage] ?? 0) + now - enteredMs;
    enteredMs = now;
  };
  const enter = (next: Stage): void => {
    measure();
    stage = next;
    processingProgress = Math.max(processingProgress, STAGES[next]);
  };

  return {
    enter,
    stage: () => stage,
    /** Milliseconds in each stage until now. */
    stageMs() {
      measure();
      return stageMs;
    },
    /** @param fraction of the source that is read, 0 to 1 */
    reportParsed(fraction: number): void {
      const percent = STAGES.parsing + Math.floor((STAGES.storing - STAGES.parsing) * fraction);
      processingProgress = Math.max(processingProgress, Math.min(percent, STAGES.storing));
    },
    reportDrafts(count: number): void {
      if (stage === 'parsing' || stage === 'extracting') enter('splitting');
      newChunks += count;
    },
    write,
    /** Stops the timer and waits for a pending write, which would overwrite the final state. */
    async end(): Promise<void> {
      clearInterval(timer);
      await writing;
    },
  };
}
