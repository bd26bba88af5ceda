/**
 * A hash of 32 bits by which postings name a term: FNV-1a over UTF-16 code units (Fowler, Noll and Vo), mixed by the
 * finalizer of MurmurHash3 (Appleby), because its upper bits choose the bucket. A collision only proposes candidates
 * that do not match; they are dropped when they are scored.
 */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
