import { ApiError } from './errors.js';
import type { Job } from './tasks.js';

/** What a broken server or a proxy before it sends; `reset` breaks the connection. */
export type RawAnswer = 'reset' | { status: number; headers?: Record<string, string>; body: string };

export type Faults = ReturnType<typeof createFaults>;

const crash = () =>
  new ApiError(
    500,
    'internal',
    'An unexpected crash occurred when processing the task: index out of bounds',
    'internal',
  );

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
    taskError: undefined as ((job: Job) => ApiError) | undefined,
    poisonedIds: new Set<string>(),

    errorOf(job: Job): ApiError | undefined {
      if (job.type === 'taskCancelation') return undefined;
      if (this.taskError) return this.taskError(job);
      return job.documentIds?.some((id) => this.poisonedIds.has(id)) ? crash() : undefined;
    },
  };
}

const NO_SPACE = 'No space left on device (os error 28)';

/** As requests are refused that need room in the queue only. */
export const noSpaceLeft = (where = '') =>
  new ApiError(422, 'no_space_left_on_device', `${where}${NO_SPACE}`, 'system');

/** As a task reports it when a temporary file of it finds no room. */
export const noSpaceForTask = ({ indexUid }: Job) => noSpaceLeft(indexUid ? `Index \`${indexUid}\`: ` : '');

/** As requests are refused that bring documents. */
export const noSpaceForDocuments = () =>
  new ApiError(500, 'internal', `${NO_SPACE} at path "update_files"`, 'internal');
