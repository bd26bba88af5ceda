import { randomUUID } from 'node:crypto';
import { pick, readIds } from './documents.js';
import { ApiError, expectOnly, NotImplementedError } from './errors.js';
import { type Filter, FilterError, parseFilter } from './filter.js';
import { type Document, type Index, postingsOf } from './indexes.js';
import { checkFilter, passes } from './match-filter.js';
import { parseQuery } from './query.js';
import { holding, rank, type Strategy } from './rank.js';

type Body = Record<string, any>;

const FIELDS = ['q', 'filter', 'limit', 'offset', 'attributesToRetrieve', 'matchingStrategy', 'locales'];

/** Answers a search in an index. */
export function search(uid: string, index: Index, body: Body, requestUid: string = randomUUID()) {
  expectOnly(Object.keys(body), FIELDS, 'a search');
  const [limit, offset] = readPage(body);
  const { maxTotalHits } = index.settings.pagination;
  const filter = readFilter(body.filter, index, 'invalid_search_filter', `Index \`${uid}\`: `);
  const matching = find(index, body).filter((document) => passes(document, filter));
  const shown = body.attributesToRetrieve ?? ['*'];
  return {
    hits: matching
      .slice(0, maxTotalHits)
      .slice(offset, offset + limit)
      .map((document) => pick(pick(document, index.settings.displayedAttributes), shown)),
    query: body.q ?? '',
    processingTimeMs: 0,
    limit,
    offset,
    estimatedTotalHits: matching.length,
    requestUid,
  };
}

function find(index: Index, { q, matchingStrategy = 'last', locales }: Body): Document[] {
  expectOnly([matchingStrategy], ['last', 'all', 'frequency'], 'matchingStrategy');
  expectOnly(locales ?? [], ['eng', 'cmn', 'zho'], 'locales');
  const { terms, negated } = parseQuery(q ?? '');
  const present = (document: Document | undefined) => document !== undefined;
  if (terms.length === 0 && negated.length === 0) return index.documents.filter(present);
  expectPlainWords(index);
  const postings = postingsOf(index);
  const excluded = new Set(negated.flatMap((words) => [...holding(words, postings)]));
  const ranked = terms.length ? rank(terms, matchingStrategy as Strategy, postings) : index.documents.keys();
  const kept = [...ranked].filter((place) => !excluded.has(place));
  return kept.map((place) => index.documents[place]).filter(present);
}

/** Words are only found as the double finds them where nothing else is configured. */
function expectPlainWords({ settings }: Index): void {
  const { rankingRules, typoTolerance, prefixSearch, proximityPrecision, searchableAttributes } = settings;
  const { stopWords, synonyms, dictionary, separatorTokens, nonSeparatorTokens } = settings;
  const lists = [stopWords, Object.keys(synonyms), dictionary, separatorTokens, nonSeparatorTokens];
  const isPlain =
    rankingRules.join() === 'words' &&
    !typoTolerance.enabled &&
    prefixSearch === 'disabled' &&
    proximityPrecision === 'byAttribute' &&
    searchableAttributes.length === 1 &&
    searchableAttributes[0] !== '*' &&
    lists.every((list) => list.length === 0);
  if (!isPlain) throw new NotImplementedError('searches for words with these settings');
}

/** Answers a request for documents by filter or ids; it sees all their attributes. */
export function fetchDocuments(index: Index, body: Body) {
  expectOnly(Object.keys(body), ['filter', 'fields', 'limit', 'offset', 'ids'], 'a request for documents');
  const [limit, offset] = readPage(body);
  const wanted = body.ids === undefined || body.ids === null ? undefined : readIds(body.ids);
  const places = wanted && new Set(wanted.map((id) => index.places.get(id)));
  const filter = readFilter(body.filter, index, 'invalid_document_filter');
  const matching = index.documents.filter(
    (document, place) => document !== undefined && passes(document, filter) && (places?.has(place) ?? true),
  ) as Document[];
  const page = matching.slice(offset, offset + limit);
  return {
    results: page.map((document) => pick(document, body.fields ?? ['*'])),
    offset,
    limit,
    total: matching.length,
  };
}

function readPage({ limit = 20, offset = 0 }: Body): [limit: number, offset: number] {
  for (const number of [limit, offset]) {
    if (!Number.isInteger(number) || number < 0)
      throw new NotImplementedError(`a limit or offset of ${number}`);
  }
  return [limit, offset];
}

function readFilter(given: unknown, index: Index, code: string, rewrittenFor?: string): Filter | undefined {
  try {
    const filter = parseFilter(given);
    if (filter) checkFilter(filter, index.settings.filterableAttributes, rewrittenFor !== undefined);
    return filter;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const prefix = error.about ? (rewrittenFor ?? '') : '';
    const ownCode = error.about === 'operator' ? 'invalid_search_filter' : code;
    throw new ApiError(400, ownCode, `${prefix}${error.message}`);
  }
}
