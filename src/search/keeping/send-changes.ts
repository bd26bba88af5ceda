import type { Meilisearch } from 'meilisearch';
import type { Queryable } from '../../../db/schema.js';
import { FailedTask, isApiError, isRefusal } from '../meilisearch/errors.js';
import { checkpointUpdate, toIndexDocument } from '../meilisearch/index-document.js';
import { waitForTask } from '../meilisearch/tasks.js';
import { BATCH, MAX_CULPRITS, takeBatch } from './batch.js';
import { nextCheckpoint, noteSuccess, raiseCheckpoint, readIndexState } from './index-state.js';
import {
  acknowledge,
  markSent,
  type OutboxItem,
  type Queued,
  queueNextPart,
  readAgain,
  readOutbox,
  readSentTasks,
  setAside,
  takeBack,
  takeBackAll,
} from './outbox.js';

/** Tasks on their way at a time: the server does together what waits in its queue. */
const MAX_TASKS = 64;

interface Sent {
  taskUid: number;
  /** Unknown of tasks that another process sent. */
  rows?: Queued[];
  /** What the index is known to hold when the task is done. */
  checkpoint?: number;
}

export interface SendOptions {
  session: Queryable;
  client: Meilisearch;
  uid: string;
  /** Ends the taking of new changes; what is on its way is still waited for. */
  isTimeUp: () => Promise<boolean>;
  signal: AbortSignal;
  onSetAside: (chunkId: string, reason: string) => void;
}

/**
 * Brings what waits in the outbox into the index. A change is dropped from the outbox when its task has succeeded, and
 * not before; of a task that failed, the half that is at fault is looked for by halves.
 *
 * @throws FailedTask or the client's error when the server is at fault; nothing is lost by it
 */
export async function sendChanges(options: SendOptions): Promise<void> {
  const { session, client, uid, signal } = options;
  const state = await readIndexState(session);
  if (!state) return;
  const { generation } = state;
  let isQueueing = state.filledTo !== null;
  const index = client.index(uid);
  let culprits = 0;

  const sent: Sent[] = (await readSentTasks(session)).map((taskUid) => ({ taskUid }));
  let lastUid = sent.at(-1)?.taskUid ?? -1;
  for (;;) {
    while (sent.length < MAX_TASKS && !(await options.isTimeUp())) {
      const { items, isFull } = await nextBatch();
      // While something is on its way, a few changes may as well wait for company.
      if (items.length === 0 || (sent.length > 0 && !isFull)) break;
      sent.push(...(await send(items)));
    }
    const first = sent.shift();
    if (!first) break;
    await settle(first);
  }

  async function nextBatch(): Promise<{ items: OutboxItem[]; isFull: boolean }> {
    let items = await readOutbox(session, BATCH);
    if (items.length < BATCH && isQueueing) {
      isQueueing = await queueNextPart(session);
      items = await readOutbox(session, BATCH);
    }
    const taken = takeBatch(items, ({ chunk }) => chunk?.terms);
    return { items: taken, isFull: taken.length < items.length || items.length === BATCH };
  }

  async function send(items: OutboxItem[]): Promise<Sent[]> {
    const [written, removed] = [items.filter(({ chunk }) => chunk), items.filter(({ chunk }) => !chunk)];
    const tasks: Sent[] = [];
    if (removed.length > 0) {
      const { taskUid } = await index.deleteDocuments(removed.map(({ chunkId }) => chunkId));
      await note(taskUid, removed);
      tasks.push({ taskUid, rows: removed.map(toQueued) });
    }
    try {
      // After the deletions, so that it tells of them as well.
      const checkpoint = await nextCheckpoint(session);
      const documents = written.flatMap(({ chunk }) => (chunk ? [toIndexDocument(chunk)] : []));
      const { taskUid } = await index.updateDocuments([
        ...documents,
        checkpointUpdate(generation, checkpoint),
      ]);
      await note(taskUid, written);
      tasks.push({ taskUid, rows: written.map(toQueued), checkpoint });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await narrowDown(written, error as Error);
    }
    return tasks;
  }

  /** A server that numbers its tasks anew has lost, with its data, those that were on their way. */
  async function note(taskUid: number, rows: Queued[]): Promise<void> {
    if (taskUid <= lastUid) await startOver();
    lastUid = taskUid;
    await markSent(session, rows, taskUid);
  }

  async function settle({ taskUid, rows, checkpoint }: Sent): Promise<void> {
    try {
      const task = await waitForTask(client, taskUid, signal);
      if (task.indexUid !== uid) await startOver();
    } catch (error) {
      if (isApiError(error, 'task_not_found')) await startOver();
      if (!(error instanceof FailedTask)) throw error;
      await takeBack(session, taskUid);
      if (!error.mayBeDocuments) throw error;
      if (rows) await narrowDown(rows, error);
      return;
    }
    // First: what is acknowledged must not be lost unnoticed.
    if (checkpoint !== undefined) await raiseCheckpoint(session, checkpoint);
    await acknowledge(session, taskUid);
    await noteSuccess(session);
  }

  async function startOver(): Promise<never> {
    await takeBackAll(session);
    throw new Error('The search server has forgotten what was sent to it; it is sent again.');
  }

  async function narrowDown(rows: Queued[], error: Error): Promise<void> {
    const [only, another] = rows;
    if (!only) throw error;
    if (!another) {
      if (++culprits > MAX_CULPRITS || !(await takesOthers())) throw error;
      await setAside(session, only, error.message);
      options.onSetAside(only.chunkId, error.message);
      return;
    }
    const middle = Math.ceil(rows.length / 2);
    for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
      // A later batch may have brought the others, as they are now.
      const left = await readAgain(session, half);
      if (left.length === 0) continue;
      for (const task of await send(left)) await settle(task);
    }
  }

  /** A server that takes nothing at all is at fault itself. */
  async function takesOthers(): Promise<boolean> {
    try {
      const checkpoint = checkpointUpdate(generation, await nextCheckpoint(session));
      const { taskUid } = await index.updateDocuments([checkpoint]);
      lastUid = taskUid;
      await waitForTask(client, taskUid, signal);
      return true;
    } catch (error) {
      if (error instanceof FailedTask || isRefusal(error)) return false;
      throw error;
    }
  }
}

/** Without the text: many are on their way at a time. */
const toQueued = ({ chunkId, queued }: OutboxItem): Queued => ({ chunkId, queued });
