import { sql } from 'kysely';
import type { Meilisearch } from 'meilisearch';
import type { Queryable } from '../../db/schema.js';
import { noteSuccess, readIndexState } from './index-state.js';
import { FailedTask, isApiError, isRefusal } from './meilisearch/errors.js';
import { checkpointDocument, toIndexDocument } from './meilisearch/index-document.js';
import { waitForTask } from './meilisearch/tasks.js';
import {
  acknowledge,
  markSent,
  type OutboxItem,
  readOutbox,
  readSentTasks,
  setAside,
  takeBack,
} from './outbox.js';

/** Chunks of one task, and tasks on their way at a time: the server does together what waits in its queue. */
const BATCH = 2_000;
const MAX_BATCH_CHARACTERS = 16_000_000;
const MAX_TASKS = 16;
/** So many chunks are not at fault one after another; then it is the server. */
const MAX_CULPRITS = 20;

interface Sent {
  taskUid: number;
  /** Unknown of tasks that another process sent. */
  items?: OutboxItem[];
  /** What the index is known to hold when the task is done. */
  checkpoint?: number;
}

export interface SendOptions {
  session: Queryable;
  client: Meilisearch;
  uid: string;
  /** Ends the taking of new changes; what is on its way is still waited for. */
  isTimeUp: () => boolean;
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
  let { checkpoint } = state;
  let culprits = 0;

  const sent: Sent[] = (await readSentTasks(session)).map((taskUid) => ({ taskUid }));
  for (;;) {
    while (sent.length < MAX_TASKS && !options.isTimeUp()) {
      const items = await nextBatch(session);
      // While something is on its way, a few changes may as well wait for company.
      if (items.length === 0 || (sent.length > 0 && items.length < BATCH)) break;
      sent.push(...(await send(items)));
    }
    const first = sent.shift();
    if (!first) break;
    await settle(first);
  }

  async function send(items: OutboxItem[]): Promise<Sent[]> {
    const [written, removed] = [items.filter(({ chunk }) => chunk), items.filter(({ chunk }) => !chunk)];
    const tasks: Sent[] = [];
    try {
      if (written.length > 0) {
        checkpoint++;
        const documents = written.flatMap(({ chunk }) => (chunk ? [toIndexDocument(chunk)] : []));
        documents.push(checkpointDocument(state?.generation ?? 0, checkpoint));
        const { taskUid } = await client.index(uid).addDocuments(documents);
        await markSent(session, written, taskUid);
        tasks.push({ taskUid, items: written, checkpoint });
      }
      if (removed.length > 0) {
        const { taskUid } = await client.index(uid).deleteDocuments(removed.map(({ chunkId }) => chunkId));
        await markSent(session, removed, taskUid);
        tasks.push({ taskUid, items: removed });
      }
      return tasks;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await narrowDown(tasks.length > 0 ? removed : items, error as Error);
      return tasks;
    }
  }

  async function settle({ taskUid, items, checkpoint: reached }: Sent): Promise<void> {
    try {
      await waitForTask(client, taskUid, signal);
    } catch (error) {
      if (isApiError(error, 'task_not_found')) return takeBack(session, taskUid);
      if (!(error instanceof FailedTask)) throw error;
      await takeBack(session, taskUid);
      if (!error.mayBeDocuments) throw error;
      if (items) await narrowDown(items, error);
      return;
    }
    await acknowledge(session, taskUid);
    if (reached !== undefined) await raiseCheckpoint(session, reached);
    await noteSuccess(session);
  }

  async function narrowDown(items: OutboxItem[], error: Error): Promise<void> {
    const [only] = items;
    if (only && items.length === 1) {
      if (++culprits > MAX_CULPRITS) throw error;
      await setAside(session, only, error.message);
      options.onSetAside(only.chunkId, error.message);
      return;
    }
    const middle = Math.ceil(items.length / 2);
    for (const half of [items.slice(0, middle), items.slice(middle)]) {
      for (const task of await send(half)) await settle(task);
    }
  }
}

async function nextBatch(session: Queryable): Promise<OutboxItem[]> {
  const items = await readOutbox(session, BATCH);
  let characters = 0;
  const end = items.findIndex(({ chunk }) => {
    characters += chunk?.terms.length ?? 0;
    return characters > MAX_BATCH_CHARACTERS;
  });
  return end < 0 ? items : items.slice(0, Math.max(1, end));
}

async function raiseCheckpoint(session: Queryable, checkpoint: number): Promise<void> {
  await sql`update search_index set checkpoint = greatest(checkpoint, ${checkpoint})`.execute(session);
}
