import { ApiError, indexNotFound } from './errors.js';
import { splitWords } from './query.js';
import type { Postings } from './rank.js';
import { changeSettings, DEFAULTS, type Settings } from './settings.js';

export type Document = Record<string, unknown>;

export interface Index {
  createdAt: string;
  updatedAt: string;
  primaryKey: string | null;
  settings: Settings;
  /** In the order of search: a new document takes the first free place, a changed one keeps its own. */
  documents: (Document | undefined)[];
  places: Map<string, number>;
  postings?: Postings;
}

export type Indexes = ReturnType<typeof createIndexes>;

/** The indexes of one server. */
export function createIndexes() {
  const indexes = new Map<string, Index>();

  function get(uid: string): Index {
    const index = indexes.get(uid);
    if (!index) throw indexNotFound(uid);
    return index;
  }

  function create(uid: string, primaryKey: string | null): Index {
    if (indexes.has(uid)) {
      throw new ApiError(409, 'index_already_exists', `Index \`${uid}\` already exists.`);
    }
    const now = new Date().toISOString();
    const index = {
      createdAt: now,
      updatedAt: now,
      primaryKey,
      settings: DEFAULTS,
      documents: [],
      places: new Map(),
    };
    indexes.set(uid, index);
    return index;
  }

  return {
    get,
    create,
    getOrCreate: (uid: string, mayCreate: boolean) =>
      mayCreate && !indexes.has(uid) ? create(uid, null) : get(uid),

    delete(uid: string): number {
      const { size } = get(uid).places;
      indexes.delete(uid);
      return size;
    },

    swap(pairs: [string, string][]): void {
      const missing = pairs.flat().filter((uid) => !indexes.has(uid));
      if (missing.length) throw indexNotFound(...missing.sort());
      for (const [a, b] of pairs) {
        const [first, second] = [get(a), get(b)];
        indexes.set(a, second).set(b, first);
      }
    },
  };
}

function touch(index: Index): void {
  index.updatedAt = new Date().toISOString();
  index.postings = undefined;
}

export function putDocuments(index: Index, documents: [id: string, document: Document][]): void {
  for (const [id, document] of documents) {
    const free = index.documents.indexOf(undefined);
    const place = index.places.get(id) ?? (free < 0 ? index.documents.length : free);
    index.places.set(id, place);
    index.documents[place] = document;
  }
  touch(index);
}

/** Gives how many there were. */
export function deleteDocuments(index: Index, ids: Iterable<string>): number {
  let deleted = 0;
  for (const id of ids) {
    const place = index.places.get(id);
    if (place === undefined) continue;
    index.places.delete(id);
    index.documents[place] = undefined;
    deleted++;
  }
  touch(index);
  return deleted;
}

export function applySettings(index: Index, patch: Record<string, unknown>): void {
  index.settings = changeSettings(index.settings, patch);
  touch(index);
}

/** The words of the one attribute that is searched. */
export function postingsOf(index: Index): Postings {
  if (index.postings) return index.postings;
  const postings: Postings = new Map();
  const [attribute = ''] = index.settings.searchableAttributes;
  for (const [place, document] of index.documents.entries()) {
    for (const word of splitWords(String(document?.[attribute] ?? ''))) {
      const places = postings.get(word) ?? new Set();
      postings.set(word, places.add(place));
    }
  }
  index.postings = postings;
  return postings;
}

export function describeStats({ documents }: Index, isIndexing: boolean) {
  const present = documents.filter((document) => document !== undefined);
  const size = present.reduce((sum, document) => sum + JSON.stringify(document).length, 0);
  const fieldDistribution: Record<string, number> = {};
  for (const name of present.flatMap((document) => Object.keys(document)).sort()) {
    fieldDistribution[name] = (fieldDistribution[name] ?? 0) + 1;
  }
  return {
    numberOfDocuments: present.length,
    rawDocumentDbSize: size,
    avgDocumentSize: present.length && Math.floor(size / present.length),
    isIndexing,
    numberOfEmbeddings: 0,
    numberOfEmbeddedDocuments: 0,
    fieldDistribution,
  };
}
