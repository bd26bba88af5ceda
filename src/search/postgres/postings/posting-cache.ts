import type { PostingList } from './posting-format.js';

/** Of all lists together, of chunks and of messages. */
const MAX_BYTES = 128 * 2 ** 20;
/** Shorter lists are read about as fast as they are named; longer ones would take the place of many. */
const LIST_BYTES = { least: 4_096, most: 4 * 2 ** 20 };
/** Lists that a statement is told of. */
const MAX_KNOWN = 4_000;

interface CachedList {
  term: string;
  segmentId: number;
  list: PostingList;
}

/** Lists of some terms that need not be read, as columns for a statement, and by segment and place of the term. */
export interface KnownLists {
  segmentIds: number[];
  places: number[];
  find(segmentId: number, place: number): PostingList | undefined;
  /** Remembers a list that was read or used. */
  keep(segmentId: number, place: number, list: PostingList): void;
  forget(segmentId: number, place: number): void;
}

export interface PostingCache {
  /** @param hashes of terms; a place counts from 1 */
  known(tenantId: string, hashes: number[]): KnownLists;
}

/**
 * Remembers posting lists of frequent terms: segments never change, and most questions have words of other questions. The
 * least recently used lists are forgotten, among them those of segments that are gone.
 */
export function createPostingCache(maxBytes = MAX_BYTES): PostingCache {
  /** The least recently used ones first. */
  const lists = new Set<CachedList>();
  /** The same, by term and segment. */
  const byTerm = new Map<string, Map<number, CachedList>>();
  let bytes = 0;
  return { known };

  function known(tenantId: string, hashes: number[]): KnownLists {
    const terms = hashes.map((hash) => JSON.stringify([tenantId, hash]));
    const found = new Map<string, PostingList>();
    const columns = { segmentIds: [] as number[], places: [] as number[] };
    for (const [i, term] of terms.entries()) {
      for (const [segmentId, { list }] of byTerm.get(term) ?? []) {
        if (columns.places.length === MAX_KNOWN) break;
        columns.segmentIds.push(segmentId);
        columns.places.push(i + 1);
        found.set(`${segmentId} ${i + 1}`, list);
      }
    }
    return {
      ...columns,
      find: (segmentId, place) => found.get(`${segmentId} ${place}`),
      keep: (segmentId, place, list) => keep(terms[place - 1] as string, segmentId, list),
      forget(segmentId, place) {
        forget(byTerm.get(terms[place - 1] as string)?.get(segmentId));
      },
    };
  }

  function keep(term: string, segmentId: number, list: PostingList): void {
    const { length } = list.bytes;
    if (length < LIST_BYTES.least || length > LIST_BYTES.most) return;
    forget(byTerm.get(term)?.get(segmentId));
    const entry = { term, segmentId, list };
    const ofTerm = byTerm.get(term) ?? new Map<number, CachedList>();
    byTerm.set(term, ofTerm.set(segmentId, entry));
    lists.add(entry);
    bytes += length;
    for (const oldest of lists) {
      if (bytes <= maxBytes) return;
      forget(oldest);
    }
  }

  function forget(entry: CachedList | undefined): void {
    if (!entry) return;
    lists.delete(entry);
    bytes -= entry.list.bytes.length;
    const ofTerm = byTerm.get(entry.term);
    ofTerm?.delete(entry.segmentId);
    if (ofTerm?.size === 0) byTerm.delete(entry.term);
  }
}
