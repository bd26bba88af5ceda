import { type Call, indexOf, readBody } from './call.js';
import * as answers from './read-routes.js';
import { fetchDocuments } from './search.js';
import * as operations from './write-routes.js';

export interface Route {
  method: string;
  /** With `:index` for the index that a key must reach. */
  path: string;
  /** What a key must allow; without it, nobody is asked for one. */
  action?: string;
  answer: (call: Call) => unknown;
  status: number;
  /** The query parameters it knows. */
  query: string[];
}

const VERSION = { commitSha: 'unknown', commitDate: 'unknown', pkgVersion: '1.50.0' };

function route(
  where: string,
  action: string | undefined,
  answer: Route['answer'],
  { status = 200, query = [] as string[] } = {},
): Route {
  const [method = '', path = ''] = where.split(' ');
  return { method, path, action, answer, status, query };
}

const operation = (where: string, action: string, answer: Route['answer']) =>
  route(where, action, answer, { status: 202 });

export const ROUTES: Route[] = [
  route('GET /health', undefined, () => ({ status: 'available' })),
  route('GET /version', 'version', () => VERSION),

  operation('POST /indexes', 'indexes.create', operations.createIndex),
  route('GET /indexes/:index', 'indexes.get', answers.showIndex),
  operation('DELETE /indexes/:index', 'indexes.delete', operations.deleteIndex),
  operation('POST /swap-indexes', 'indexes.swap', operations.swapIndexes),
  route('GET /indexes/:index/stats', 'stats.get', answers.showStats),
  route('GET /indexes/:index/settings', 'settings.get', (call) => indexOf(call).settings),
  operation('PATCH /indexes/:index/settings', 'settings.update', operations.updateSettings),

  route('POST /multi-search', 'search', answers.searchMany),
  route('POST /indexes/:index/search', 'search', answers.searchOne),

  route('POST /indexes/:index/documents/fetch', 'documents.get', (call) =>
    fetchDocuments(indexOf(call), readBody(call)),
  ),
  route('GET /indexes/:index/documents', 'documents.get', answers.listDocuments, {
    query: ['limit', 'fields'],
  }),
  route('GET /indexes/:index/documents/:id', 'documents.get', answers.showDocument, { query: ['fields'] }),
  operation('POST /indexes/:index/documents', 'documents.add', operations.addDocuments),
  operation('PUT /indexes/:index/documents', 'documents.add', operations.updateDocuments),
  operation('POST /indexes/:index/documents/delete-batch', 'documents.delete', operations.deleteBatch),
  operation('DELETE /indexes/:index/documents', 'documents.delete', operations.deleteAll),

  route('GET /tasks', 'tasks.get', ({ tasks, query, access }) => tasks.list(query, access), {
    query: ['indexUids', 'statuses', 'types', 'limit', 'from'],
  }),
  route('GET /tasks/:id', 'tasks.get', answers.showTask),

  route('GET /keys/:id', 'keys.get', ({ keys, id }) => keys.find(id)),
  route('POST /keys', 'keys.create', (call) => call.keys.create(readBody(call)), { status: 201 }),
  route('DELETE /keys/:id', 'keys.delete', ({ keys, id }) => keys.remove(id), { status: 204 }),
];
