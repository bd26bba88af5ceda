import { randomUUID } from 'node:crypto';
import { type Call, indexOf, readBody } from './call.js';
import { pick } from './documents.js';
import { ApiError, expectOnly } from './errors.js';
import { describeStats } from './indexes.js';
import { expectReach } from './keys.js';
import * as operations from './operations.js';
import { fetchDocuments, search } from './search.js';
import type { Task } from './tasks.js';

export interface Route {
  method: string;
  /** With `:index` for the index that a key must reach. */
  path: string;
  /** What a key must allow; nothing is asked for without it. */
  action?: string;
  /** The query parameters it knows. */
  query?: string[];
  status?: number;
  answer: (call: Call) => unknown;
}

const TASK_FILTERS = ['uids', 'indexUids', 'statuses', 'types'];

export const ROUTES: Route[] = [
  { method: 'GET', path: '/health', answer: () => ({ status: 'available' }) },
  {
    method: 'GET',
    path: '/version',
    action: 'version',
    answer: () => ({ commitSha: 'unknown', commitDate: 'unknown', pkgVersion: '1.50.0' }),
  },

  { method: 'POST', path: '/indexes', action: 'indexes.create', status: 202, answer: operations.createIndex },
  {
    method: 'GET',
    path: '/indexes/:index',
    action: 'indexes.get',
    answer: (call) => {
      const { createdAt, updatedAt, primaryKey } = indexOf(call);
      return { uid: call.uid, createdAt, updatedAt, primaryKey };
    },
  },
  {
    method: 'DELETE',
    path: '/indexes/:index',
    action: 'indexes.delete',
    status: 202,
    answer: operations.deleteIndex,
  },
  {
    method: 'POST',
    path: '/swap-indexes',
    action: 'indexes.swap',
    status: 202,
    answer: operations.swapIndexes,
  },
  {
    method: 'GET',
    path: '/indexes/:index/stats',
    action: 'stats.get',
    answer: (call) => {
      const isBusy = ({ status, indexUid }: Task) => status === 'processing' && indexUid === call.uid;
      return describeStats(indexOf(call), call.tasks.all.some(isBusy));
    },
  },
  {
    method: 'GET',
    path: '/indexes/:index/settings',
    action: 'settings.get',
    answer: (call) => indexOf(call).settings,
  },
  {
    method: 'PATCH',
    path: '/indexes/:index/settings',
    action: 'settings.update',
    status: 202,
    answer: operations.updateSettings,
  },

  {
    method: 'POST',
    path: '/indexes/:index/search',
    action: 'search',
    answer: (call) => search(call.uid, indexOf(call), readBody(call)),
  },
  { method: 'POST', path: '/multi-search', action: 'search', answer: searchMany },
  {
    method: 'POST',
    path: '/indexes/:index/documents/fetch',
    action: 'documents.get',
    answer: (call) => {
      const body = readBody(call);
      return fetchDocuments(indexOf(call), body);
    },
  },
  {
    method: 'GET',
    path: '/indexes/:index/documents/:id',
    action: 'documents.get',
    query: ['fields'],
    answer: (call) => {
      const { places, documents } = indexOf(call);
      const document = documents[places.get(call.id) ?? -1];
      if (!document) throw new ApiError(404, 'document_not_found', `Document \`${call.id}\` not found.`);
      return pick(document, call.query.get('fields')?.split(',') ?? ['*']);
    },
  },
  {
    method: 'POST',
    path: '/indexes/:index/documents',
    action: 'documents.add',
    status: 202,
    answer: operations.addDocuments,
  },
  {
    method: 'POST',
    path: '/indexes/:index/documents/delete-batch',
    action: 'documents.delete',
    status: 202,
    answer: operations.deleteBatch,
  },
  {
    method: 'DELETE',
    path: '/indexes/:index/documents',
    action: 'documents.delete',
    status: 202,
    answer: operations.deleteAll,
  },

  {
    method: 'GET',
    path: '/tasks',
    action: 'tasks.get',
    query: [...TASK_FILTERS, 'limit', 'from', 'reverse'],
    answer: ({ tasks, query, access }) => tasks.list(query, access),
  },
  {
    method: 'GET',
    path: '/tasks/:id',
    action: 'tasks.get',
    answer: ({ tasks, id, access }) => {
      const task = tasks.find(Number(id), access);
      if (!task) throw new ApiError(404, 'task_not_found', `Task \`${id}\` not found.`);
      return task;
    },
  },
  {
    method: 'POST',
    path: '/tasks/cancel',
    action: 'tasks.cancel',
    query: TASK_FILTERS,
    answer: ({ tasks, query, access }) => {
      if (query.size > 0) return tasks.cancel(query, access);
      const message =
        'Query parameters to filter the tasks to cancel are missing. Available query parameters are: `uids`, `indexUids`, `statuses`, `types`, `canceledBy`, `beforeEnqueuedAt`, `afterEnqueuedAt`, `beforeStartedAt`, `afterStartedAt`, `beforeFinishedAt`, `afterFinishedAt`.';
      throw new ApiError(400, 'missing_task_filters', message);
    },
  },

  {
    method: 'GET',
    path: '/keys',
    action: 'keys.get',
    query: ['limit', 'offset'],
    answer: ({ keys, query }) => {
      const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
      const all = keys.list();
      return { results: all.slice(offset, offset + limit), offset, limit, total: all.length };
    },
  },
  { method: 'GET', path: '/keys/:id', action: 'keys.get', answer: ({ keys, id }) => keys.find(id) },
  {
    method: 'POST',
    path: '/keys',
    action: 'keys.create',
    status: 201,
    answer: (call) => call.keys.create(readBody(call)),
  },
  {
    method: 'DELETE',
    path: '/keys/:id',
    action: 'keys.delete',
    status: 204,
    answer: ({ keys, id }) => keys.remove(id),
  },
];

/** Several searches; the first that cannot be answered refuses them all. */
function searchMany(call: Call) {
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
