import { pick } from './documents.js';
import { expectOnly } from './errors.js';
import { readFilter } from './filter.js';
import type { Index } from './indexes.js';
import { matchWords } from './match-words.js';

type Body = Record<string, any>;

/** Answers one query of a multi-search. */
export function search(uid: string, index: Index, body: Body, requestUid: string) {
  expectOnly(
    Object.keys(body),
    ['q', 'filter', 'limit', 'attributesToRetrieve', 'matchingStrategy'],
    'a search',
  );
  const { q = '', filter, limit = 20, attributesToRetrieve = ['*'], matchingStrategy = 'last' } = body;
  expectOnly([matchingStrategy], ['last'], 'matchingStrategy');
  const passes = readFilter(filter, index, { code: 'invalid_search_filter', where: `Index \`${uid}\`: ` });
  const matching = matchWords(index, [...index.documents.values()].filter(passes), q);
  const { displayedAttributes, pagination } = index.settings;
  return {
    indexUid: uid,
    hits: matching
      .slice(0, Math.min(limit, pagination.maxTotalHits))
      .map((document) => pick(pick(document, displayedAttributes), attributesToRetrieve)),
    query: q,
    processingTimeMs: 0,
    limit,
    offset: 0,
    estimatedTotalHits: matching.length,
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
