import { setTimeout as delay } from 'node:timers/promises';
import type { Meilisearch, Task } from 'meilisearch';
import { TaskFailedError } from './errors.js';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Waits until the search server has done a task, however long that takes.
 *
 * @throws TaskFailedError when it failed or was cancelled
 */
export async function waitForTask(client: Meilisearch, uid: number, signal?: AbortSignal): Promise<Task> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const task = await client.tasks.getTask(uid);
    if (task.status === 'succeeded') return task;
    if (task.status !== 'enqueued' && task.status !== 'processing') throw new TaskFailedError(task);
    await delay(pause, undefined, signal && { signal });
  }
}
