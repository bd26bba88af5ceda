import { ApiError } from './errors.js';
import type { Job } from './tasks.js';

/** What a broken server or a proxy before it sends; `reset` breaks the connection. */
export type RawAnswer = 'reset' | { status: number; headers?: Record<string, string>; body: string };

export type Faults = ReturnType<typeof createFaults>;

const internal = () => new ApiError(500, 'internal', 'An internal error has occurred.', 'internal');

/** What goes wrong on purpose. */
export function createFaults() {
  return {
    /** How long a task waits, and how long it takes. */
    taskDelayMs: 0,
    /** How long every answer takes. */
    answerDelayMs: 0,
    /** Sent in place of every answer. */
    rawAnswer: undefined as RawAnswer | undefined,
    areTasksHeld: false,
    isDiskFull: false,
    taskError: undefined as ApiError | undefined,
    poisonedIds: new Set<string>(),

    errorOf(job: Job): ApiError | undefined {
      if (job.type === 'taskCancelation') return undefined;
      return (
        this.taskError ?? (job.documentIds?.some((id) => this.poisonedIds.has(id)) ? internal() : undefined)
      );
    },
  };
}

/** As a task reports it when a temporary file of it finds no room. */
export const NO_SPACE_LEFT = new ApiError(
  422,
  'no_space_left_on_device',
  'No space left on device (os error 28)',
  'system',
);

/** As requests that bring documents are refused when the disk is full. */
export const noSpaceForDocuments = () =>
  new ApiError(500, 'internal', 'No space left on device (os error 28) at path "update_files"', 'internal');
