import { ApiError } from './errors.js';
import type { Job } from './job.js';

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
    /** How long every answer takes. */
    answerDelayMs: 0,
    /** Sent in place of every answer. */
    rawAnswer: undefined as RawAnswer | undefined,
    areTasksHeld: false,
    isDiskFull: false,
    taskError: undefined as ((job: Job) => ApiError) | undefined,
    poisonedIds: new Set<string>(),

    errorOf(job: Job): ApiError | undefined {
      if (this.taskError) return this.taskError(job);
      return job.documentIds?.some((id) => this.poisonedIds.has(id)) ? crash() : undefined;
    },
  };
}

const NO_SPACE = 'No space left on device (os error 28)';

/** Error of a task whose temporary file finds no room. */
export const noSpaceForTask = ({ indexUid }: Job) =>
  new ApiError(
    422,
    'no_space_left_on_device',
    `${indexUid ? `Index \`${indexUid}\`: ` : ''}${NO_SPACE}`,
    'system',
  );

/** Response to requests that bring documents. */
export const noSpaceForDocuments = () =>
  new ApiError(500, 'internal', `${NO_SPACE} at path "update_files"`, 'internal');
