/** Of all lists together. */
const MAX_BYTES = 48 * 2 ** 20;
/** Shorter lists are read about as fast as they are named; longer ones would take the place of many. */
const LIST_BYTES = { least: 4_096, most: 4 * 2 ** 20 };
/** Lists that a statement is told of. */
const MAX_KNOWN = 4_000;

interface CachedList {
  name: string;
  segmentId: number;
  bytes: Buffer;
}

/** Lists of some terms that need not be read, as columns for a statement, and by segment and place of the term. */
export interface KnownLists {
  segmentIds: number[];
  places: number[];
  find(segmentId: number, place: number): Buffer | undefined;
  /** Remembers a list that was read or used. */
  keep(segmentId: number, place: number, bytes: Buffer): void;
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
  const lists = new Map<string, CachedList>();
  const segmentsOfTerm = new Map<string, Map<number, CachedList>>();
  let bytes = 0;
  return { known };

  function known(tenantId: string, hashes: number[]): KnownLists {
    const terms = hashes.map((hash) => JSON.stringify([tenantId, hash]));
    const found = new Map<string, Buffer>();
    const columns = { segmentIds: [] as number[], places: [] as number[] };
    for (const [i, term] of terms.entries()) {
      for (const [segmentId, list] of segmentsOfTerm.get(term) ?? []) {
        if (columns.places.length === MAX_KNOWN) break;
        columns.segmentIds.push(segmentId);
        columns.places.push(i + 1);
        found.set(`${segmentId} ${i + 1}`, list.bytes);
      }
    }
    return {
      ...columns,
      find: (segmentId, place) => found.get(`${segmentId} ${place}`),
      keep: (segmentId, place, list) => keep(terms[place - 1] as string, segmentId, list),
      forget(segmentId, place) {
        const term = terms[place - 1] as string;
        forget(term, segmentsOfTerm.get(term)?.get(segmentId));
      },
    };
  }

  function keep(term: string, segmentId: number, list: Buffer): void {
    if (list.length < LIST_BYTES.least || list.length > LIST_BYTES.most) return;
    const name = `${segmentId} ${term}`;
    forget(term, lists.get(name));
    const entry = { name, segmentId, bytes: list };
    const ofTerm = segmentsOfTerm.get(term) ?? new Map<number, CachedList>();
    segmentsOfTerm.set(term, ofTerm.set(segmentId, entry));
    lists.set(name, entry);
    bytes += list.length;
    for (const oldest of lists.values()) {
      if (bytes <= maxBytes) return;
      forget(oldest.name.slice(oldest.name.indexOf(' ') + 1), oldest);
    }
  }

  function forget(term: string, list: CachedList | undefined): void {
    if (!list) return;
    lists.delete(list.name);
    bytes -= list.bytes.length;
    const ofTerm = segmentsOfTerm.get(term);
    ofTerm?.delete(list.segmentId);
    if (ofTerm?.size === 0) segmentsOfTerm.delete(term);
  }
}
