import { randomUUID } from 'node:crypto';
import { type Call, indexOf, readBody } from './call.js';
import { pick } from './documents.js';
import { ApiError, expectOnly, NotImplementedError } from './errors.js';
import { expectReach } from './keys.js';
import { countFacets, federate, fetchDocuments, search } from './search.js';

export function showIndex(call: Call) {
  const { createdAt, primaryKey } = indexOf(call);
  return { uid: call.uid, createdAt, updatedAt: createdAt, primaryKey };
}

export function showStats(call: Call) {
  const { documents } = indexOf(call);
  return {
    numberOfDocuments: documents.size,
    rawDocumentDbSize: [...documents.values()].reduce((sum, one) => sum + JSON.stringify(one).length, 0),
  };
}

/** A federated search of one index; the first error of a query fails it. */
export function searchMany(call: Call) {
  const { queries, federation, ...others } = readBody(call);
  expectOnly(Object.keys(others), [], 'a multi-search');
  const found = queries.map(({ indexUid, ...body }: Record<string, unknown>, place: number) => {
    const uid = String(indexUid);
    try {
      expectReach(call.access, uid);
      return search(uid, call.indexes.get(uid), restrict(call, uid, body));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 501) throw error;
      const status = error.status === 404 ? 400 : error.status;
      throw new ApiError(status, error.code, `Inside \`.queries[${place}]\`: ${error.message}`, error.type);
    }
  });
  if (!federation || new Set(found.map(({ uid }: { uid: string }) => uid)).size > 1)
    throw new NotImplementedError('searches of several indexes');
  return federate(found, federation, randomUUID());
}

/** A search of one index, of documents by filters alone. */
export function searchOne(call: Call) {
  const { limit = 20, offset = 0, facets, q = '', ...body } = readBody(call);
  if (q !== '') throw new NotImplementedError('words in a search');
  const { documents, show, maxHits } = search(call.uid, indexOf(call), restrict(call, call.uid, body));
  return {
    hits: documents.slice(offset, Math.min(offset + limit, maxHits)).map(show),
    query: q,
    processingTimeMs: 0,
    limit,
    offset,
    estimatedTotalHits: documents.length,
    ...(facets && { facetDistribution: countFacets(documents, facets), facetStats: {} }),
    requestUid: randomUUID(),
  };
}

/** With what the sender's token adds to the filter. */
function restrict({ access }: Call, uid: string, { filter, ...body }: Record<string, unknown>) {
  const both = [access.filterOf?.(uid) ?? [], filter ?? []].flat();
  return { ...body, ...(both.length > 0 && { filter: both }) };
}

/** Like a request by body, without a filter. */
export function listDocuments(call: Call) {
  const [limit, fields] = [call.query.get('limit'), call.query.get('fields')];
  return fetchDocuments(indexOf(call), { limit: Number(limit ?? 20), fields: fields?.split(',') });
}

export function showDocument(call: Call) {
  const document = indexOf(call).documents.get(call.id);
  if (!document) throw new ApiError(404, 'document_not_found', `Document \`${call.id}\` not found.`);
  return pick(document, call.query.get('fields')?.split(',') ?? ['*']);
}

export function showTask({ tasks, id, access }: Call) {
  const task = tasks.find(Number(id), access);
  if (!task) throw new ApiError(404, 'task_not_found', `Task \`${id}\` not found.`);
  return task;
}
