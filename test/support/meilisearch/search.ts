import { pick } from './documents.js';
import { expectOnly } from './errors.js';
import { readFilter } from './filter.js';
import type { Document, Index } from './indexes.js';

type Body = Record<string, any>;

/** What one query of a federated search finds, before the limit. */
export function search(uid: string, index: Index, body: Body) {
  expectOnly(Object.keys(body), ['filter', 'attributesToRetrieve', 'federationOptions'], 'a search');
  const { filter, attributesToRetrieve = ['*'], federationOptions = {} } = body;
  expectOnly(Object.keys(federationOptions), ['weight'], 'federationOptions');
  const passes = readFilter(filter, index, { code: 'invalid_search_filter', where: `Index \`${uid}\`: ` });
  const documents = [...index.documents.values()].filter(passes);
  const show = (document: Document) =>
    pick(pick(document, index.settings.displayedAttributes), attributesToRetrieve);
  return { uid, documents, show, weight: federationOptions.weight ?? 1 };
}

/** Merges what queries of one index found: by their weight, each document once. */
export function federate(found: ReturnType<typeof search>[], body: Body, requestUid: string) {
  expectOnly(Object.keys(body), ['limit'], 'a federation');
  const { limit = 20 } = body;
  const hits = new Map<Document, object>();
  const places = found.map((_, place) => place).sort((a, b) => found[b]!.weight - found[a]!.weight);
  for (const place of places) {
    const { uid, documents, show, weight } = found[place]!;
    const _federation = { indexUid: uid, queriesPosition: place, weightedRankingScore: weight };
    for (const document of documents) {
      if (!hits.has(document)) hits.set(document, { ...show(document), _federation });
    }
  }
  return {
    hits: [...hits.values()].slice(0, limit),
    processingTimeMs: 0,
    limit,
    offset: 0,
    estimatedTotalHits: hits.size,
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
