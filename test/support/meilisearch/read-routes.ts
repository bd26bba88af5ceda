import { randomUUID } from 'node:crypto';
import { type Call, indexOf, readBody } from './call.js';
import { pick } from './documents.js';
import { ApiError, expectOnly } from './errors.js';
import { describeStats } from './indexes.js';
import { expectReach } from './keys.js';
import { fetchDocuments, search } from './search.js';
import type { Task } from './tasks.js';

export function showIndex(call: Call) {
  const { createdAt, updatedAt, primaryKey } = indexOf(call);
  return { uid: call.uid, createdAt, updatedAt, primaryKey };
}

export function showStats(call: Call) {
  const isBusy = ({ status, indexUid }: Task) => status === 'processing' && indexUid === call.uid;
  return describeStats(indexOf(call), call.tasks.all.some(isBusy));
}

/** Several searches; the first that cannot be answered refuses them all. */
export function searchMany(call: Call) {
  const { queries, ...others } = readBody(call);
  expectOnly(Object.keys(others), [], 'a multi-search');
  const requestUid = randomUUID();
  const results = queries.map(({ indexUid, ...body }: Record<string, unknown>, place: number) => {
    const uid = String(indexUid);
    try {
      expectReach(call.access, uid);
      return { indexUid: uid, ...search(uid, call.indexes.get(uid), body, requestUid) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 501) throw error;
      const status = error.status === 404 ? 400 : error.status;
      throw new ApiError(status, error.code, `Inside \`.queries[${place}]\`: ${error.message}`, error.type);
    }
  });
  return { results };
}

/** The same as a request by body, which knows filters too. */
export function listDocuments(call: Call) {
  const { limit, offset, fields, ids } = Object.fromEntries(call.query);
  return fetchDocuments(indexOf(call), {
    ...{ limit: Number(limit ?? 20), offset: Number(offset ?? 0) },
    ...{ fields: fields?.split(','), ids: ids?.split(',') },
  });
}

export function showDocument(call: Call) {
  const { places, documents } = indexOf(call);
  const document = documents[places.get(call.id) ?? -1];
  if (!document) throw new ApiError(404, 'document_not_found', `Document \`${call.id}\` not found.`);
  return pick(document, call.query.get('fields')?.split(',') ?? ['*']);
}

export function showTask({ tasks, id, access }: Call) {
  const task = tasks.find(Number(id), access);
  if (!task) throw new ApiError(404, 'task_not_found', `Task \`${id}\` not found.`);
  return task;
}

export function cancelTasks({ tasks, query, access }: Call) {
  if (query.size > 0) return tasks.cancel(query, access);
  const message =
    'Query parameters to filter the tasks to cancel are missing. Available query parameters are: `uids`, `indexUids`, `statuses`, `types`, `canceledBy`, `beforeEnqueuedAt`, `afterEnqueuedAt`, `beforeStartedAt`, `afterStartedAt`, `beforeFinishedAt`, `afterFinishedAt`.';
  throw new ApiError(400, 'missing_task_filters', message);
}

export function listKeys({ keys, query }: Call) {
  const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
  const all = keys.list();
  return { results: all.slice(offset, offset + limit), offset, limit, total: all.length };
}
