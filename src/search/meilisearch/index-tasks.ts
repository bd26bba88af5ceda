import type { Meilisearch, Task } from 'meilisearch';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import type { IndexTask, TaskFilter } from '../operations/search-operations.js';
import type { MeilisearchServer } from './connect.js';

/** Pages searched for our tasks on a shared server. */
const PAGE = 500;
const MAX_PAGES = 20;

/** The server's tasks for our indexes, newest first, and which of them carry changes from the outbox. */
export async function listIndexTasks(
  db: Database,
  server: MeilisearchServer,
  filter: TaskFilter,
): Promise<IndexTask[]> {
  // Only the admin key sees index swaps, which belong to no single index. For other keys the server filters
  // each page after reading it, unless one index is requested.
  const tasks = server.adminClient
    ? await findTasks(server.adminClient, server.prefix, filter)
    : await findTasks(await server.documentClient(), server.prefix, {
        ...filter,
        indexUids: [server.indexUid],
      });
  const changes = await countOutboxRows(
    db,
    tasks.map(({ uid }) => uid),
  );
  return tasks.map((task) => toIndexTask(task, changes.get(task.uid) ?? 0));
}

async function findTasks(
  client: Meilisearch,
  prefix: string,
  { statuses, indexUids, limit }: TaskFilter & { indexUids?: string[] },
): Promise<Task[]> {
  const found: Task[] = [];
  let from: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { results, next } = await client.tasks.getTasks({
      limit: PAGE,
      ...(from !== null && { from }),
      ...(statuses && { statuses }),
      ...(indexUids && { indexUids }),
    });
    found.push(...results.filter((task) => indexesOf(task).some((uid) => uid.startsWith(prefix))));
    if (found.length >= limit || next === null) break;
    from = next;
  }
  return found.slice(0, limit);
}

const indexesOf = ({ indexUid, details }: Task): string[] =>
  indexUid === null ? (details?.swaps ?? []).flatMap(({ indexes }) => indexes) : [indexUid];

async function countOutboxRows(db: Database, taskUids: number[]): Promise<Map<number, number>> {
  if (taskUids.length === 0) return new Map();
  const rows = await unscoped(db, 'Tasks of the search server carry chunks of all tenants.')
    .selectFrom('searchOutbox')
    .select(['taskUid', (eb) => eb.fn.countAll<number>().as('count')])
    .where('taskUid', 'in', taskUids)
    .groupBy('taskUid')
    .$narrowType<{ taskUid: number }>()
    .execute();
  return new Map(rows.map(({ taskUid, count }) => [taskUid, count]));
}

function toIndexTask(task: Task, changes: number): IndexTask {
  const [startedTime, finishedTime] = [toDate(task.startedAt), toDate(task.finishedAt)];
  const { receivedDocuments, providedIds, deletedDocuments } = task.details ?? {};
  return {
    uid: task.uid,
    type: task.type,
    status: task.status,
    indexes: indexesOf(task),
    documents: receivedDocuments ?? (providedIds || deletedDocuments) ?? null,
    changes,
    enqueuedTime: new Date(task.enqueuedAt),
    startedTime,
    finishedTime,
    durationMs: startedTime && (finishedTime?.getTime() ?? Date.now()) - startedTime.getTime(),
    error: task.error && { code: task.error.code, message: task.error.message },
  };
}

const toDate = (time: string | null): Date | null => (time === null ? null : new Date(time));
