import { pick } from './documents.js';
import { expectOnly } from './errors.js';
import { readFilter } from './filter.js';
import type { Document, Index } from './indexes.js';

type Body = Record<string, any>;

/** What one query of a federated search finds, before the limit. */
export function search(uid: string, index: Index, body: Body) {
  expectOnly(Object.keys(body), ['filter', 'attributesToRetrieve'], 'a search');
  const { filter, attributesToRetrieve = ['*'] } = body;
  const passes = readFilter(filter, index, { code: 'invalid_search_filter', where: `Index \`${uid}\`: ` });
  const documents = [...index.documents.values()].filter(passes);
  const show = (document: Document) =>
    pick(pick(document, index.settings.displayedAttributes), attributesToRetrieve);
  return { uid, documents, show, maxHits: index.settings.pagination.maxTotalHits };
}

/** How many documents have each value of attributes. */
export function countFacets(documents: Document[], attributes: string[]) {
  const counts = attributes.map((attribute) => {
    const values: Record<string, number> = {};
    for (const value of documents.flatMap((document) => [document[attribute] ?? []].flat() as string[])) {
      values[value] = (values[value] ?? 0) + 1;
    }
    return [attribute, values] as const;
  });
  return Object.fromEntries(counts.filter(([, values]) => Object.keys(values).length > 0));
}

/** Merges what queries of one index found: in their order, since filters do not score. Each document comes once. */
export function federate(found: ReturnType<typeof search>[], body: Body, requestUid: string) {
  expectOnly(Object.keys(body), ['limit'], 'a federation');
  const { limit = 20 } = body;
  const hits = new Map<Document, object>();
  for (const [queriesPosition, { uid, documents, show, maxHits }] of found.entries()) {
    const _federation = { indexUid: uid, queriesPosition, weightedRankingScore: 1 };
    for (const document of documents.slice(0, maxHits)) {
      if (!hits.has(document)) hits.set(document, { ...show(document), _federation });
    }
  }
  return {
    hits: [...hits.values()].slice(0, limit),
    processingTimeMs: 0,
    limit,
    offset: 0,
    estimatedTotalHits: new Set(found.flatMap(({ documents }) => documents)).size,
    requestUid,
  };
}

/** Answers a request for documents; it returns all their attributes. */
export function fetchDocuments(index: Index, body: Body) {
  expectOnly(Object.keys(body), ['filter', 'fields', 'limit', 'offset'], 'a request for documents');
  const { filter, fields = ['*'], limit = 20, offset = 0 } = body;
  const passes = readFilter(filter, index, { code: 'invalid_document_filter' });
  const matching = [...index.documents.values()].filter(passes);
  const results = matching.slice(offset, offset + limit).map((document) => pick(document, fields));
  return { results, offset, limit, total: matching.length };
}
