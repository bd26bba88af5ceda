import type { Meilisearch } from 'meilisearch';
import type { Database } from '../../../db/schema.js';
import { BATCH_SIZE, MAX_POISON_ROWS, takeBatch } from './batch.js';
import { isApiError, isRejectedRequest, TaskFailedError } from './errors.js';
import { createHasher } from './hashes.js';
import { checkpointPatch, toIndexDocument } from './index-document.js';
import { advanceCheckpoint, allocateCheckpoint, readIndexState, recordSyncSuccess } from './index-state.js';
import {
  acknowledge,
  enqueueBackfillBatch,
  markSent,
  type OutboxEntry,
  type OutboxItem,
  quarantine,
  readPendingItems,
  readSentTasks,
  requeueAll,
  requeueTask,
  rereadUnchangedItems,
} from './outbox-consumer.js';
import { waitForTask } from './tasks.js';

/** Tasks in flight; the server batches queued tasks. */
const MAX_TASKS = 64;

interface SentTask {
  taskUid: number;
  /** Undefined for tasks of another process. */
  rows?: OutboxEntry[];
  /** Checkpoint of the index once the task succeeds. */
  checkpoint?: number;
}

export interface SendOptions {
  lockedDb: Database;
  client: Meilisearch;
  indexUid: string;
  /** Stops sending new changes; tasks in flight are still awaited. */
  shouldStop: () => Promise<boolean>;
  signal: AbortSignal;
  onQuarantine: (chunkId: string, reason: string) => void;
}

/**
 * Sends outbox rows to the index. A row is deleted only after its task has succeeded; a failed batch is
 * bisected to find its poison rows.
 *
 * @throws TaskFailedError or the client's error when the server fails; rows stay in the outbox
 */
export async function sendChanges(options: SendOptions): Promise<void> {
  const { lockedDb, client, indexUid, signal } = options;
  const state = await readIndexState(lockedDb);
  if (!state) return;
  const { generation } = state;
  const hasher = createHasher(state.hashSecret);
  let isQueueing = state.filledTo !== null;
  const index = client.index(indexUid);
  let poisonRows = 0;

  const sent: SentTask[] = (await readSentTasks(lockedDb)).map((taskUid) => ({ taskUid }));
  let lastUid = sent.at(-1)?.taskUid ?? -1;
  for (;;) {
    while (sent.length < MAX_TASKS && !(await options.shouldStop())) {
      const { items, isFull } = await nextBatch();
      // While tasks are in flight, small batches wait to be filled.
      if (items.length === 0 || (sent.length > 0 && !isFull)) break;
      sent.push(...(await send(items)));
    }
    const first = sent.shift();
    if (!first) break;
    await awaitTask(first);
  }

  async function nextBatch(): Promise<{ items: OutboxItem[]; isFull: boolean }> {
    let items = await readPendingItems(lockedDb, BATCH_SIZE);
    if (items.length < BATCH_SIZE && isQueueing) {
      isQueueing = await enqueueBackfillBatch(lockedDb);
      items = await readPendingItems(lockedDb, BATCH_SIZE);
    }
    const taken = takeBatch(items, ({ chunk }) => chunk);
    return { items: taken, isFull: taken.length < items.length || items.length === BATCH_SIZE };
  }

  async function send(items: OutboxItem[]): Promise<SentTask[]> {
    const [written, removed] = [items.filter(({ chunk }) => chunk), items.filter(({ chunk }) => !chunk)];
    const tasks: SentTask[] = [];
    if (removed.length > 0) {
      const { taskUid } = await index.deleteDocuments(removed.map(({ chunkId }) => chunkId));
      await recordTask(taskUid, removed);
      tasks.push({ taskUid, rows: removed.map(toOutboxEntry) });
    }
    try {
      // After the deletions, so that the checkpoint covers them.
      const checkpoint = await allocateCheckpoint(lockedDb);
      const documents = written.flatMap(({ chunk }) => (chunk ? [toIndexDocument(chunk, hasher)] : []));
      const { taskUid } = await index.updateDocuments([
        ...documents,
        checkpointPatch(generation, checkpoint),
      ]);
      await recordTask(taskUid, written);
      tasks.push({ taskUid, rows: written.map(toOutboxEntry), checkpoint });
    } catch (error) {
      if (!isRejectedRequest(error)) throw error;
      await bisect(written, error as Error);
    }
    return tasks;
  }

  /** A server whose task numbers restart has lost its data, including tasks in flight. */
  async function recordTask(taskUid: number, rows: OutboxEntry[]): Promise<void> {
    if (taskUid <= lastUid) await requeueAllAndFail();
    lastUid = taskUid;
    await markSent(lockedDb, rows, taskUid);
  }

  async function awaitTask({ taskUid, rows, checkpoint }: SentTask): Promise<void> {
    try {
      const task = await waitForTask(client, taskUid, signal);
      if (task.indexUid !== indexUid) await requeueAllAndFail();
    } catch (error) {
      if (isApiError(error, 'task_not_found')) await requeueAllAndFail();
      if (!(error instanceof TaskFailedError)) throw error;
      await requeueTask(lockedDb, taskUid);
      if (!error.mayBeCausedByDocuments) throw error;
      if (rows) await bisect(rows, error);
      return;
    }
    // Before the acknowledgement, so that a loss is detected.
    if (checkpoint !== undefined) await advanceCheckpoint(lockedDb, checkpoint);
    await acknowledge(lockedDb, taskUid);
    await recordSyncSuccess(lockedDb);
  }

  async function requeueAllAndFail(): Promise<never> {
    await requeueAll(lockedDb);
    throw new Error('The search server lost its tasks; they are requeued.');
  }

  async function bisect(rows: OutboxEntry[], error: Error): Promise<void> {
    const [only, another] = rows;
    if (!only) throw error;
    if (!another) {
      if (++poisonRows > MAX_POISON_ROWS || !(await isServerAccepting())) throw error;
      await quarantine(lockedDb, only, error.message);
      options.onQuarantine(only.chunkId, error.message);
      return;
    }
    const middle = Math.ceil(rows.length / 2);
    for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
      // A later batch may have sent the others.
      const left = await rereadUnchangedItems(lockedDb, half);
      if (left.length === 0) continue;
      for (const task of await send(left)) await awaitTask(task);
    }
  }

  /** A server that rejects even the checkpoint is at fault itself. */
  async function isServerAccepting(): Promise<boolean> {
    try {
      const checkpoint = checkpointPatch(generation, await allocateCheckpoint(lockedDb));
      const { taskUid } = await index.updateDocuments([checkpoint]);
      lastUid = taskUid;
      await waitForTask(client, taskUid, signal);
      return true;
    } catch (error) {
      if (error instanceof TaskFailedError || isRejectedRequest(error)) return false;
      throw error;
    }
  }
}

/** Without the text, to save memory while many are in flight. */
const toOutboxEntry = ({ outboxTenant, chunkId, outboxRevision }: OutboxItem): OutboxEntry => ({
  outboxTenant,
  chunkId,
  outboxRevision,
});
