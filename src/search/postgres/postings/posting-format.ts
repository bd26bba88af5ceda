import type { ByteWriter } from './byte-writer.js';

/*
 * Posting lists as bytes. The chunks of a segment are numbered by their length. A posting is the gap to the chunk
 * before it as a number of variable length, whose lowest bit says that the term occurs once; else a byte with its
 * frequency follows. (Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008, chapter 5.)
 */

/** Greater frequencies count as this one. */
export const MAX_FREQUENCY = 255;

/** Appends a posting. @returns its ordinal, for the gap of the next; that of the first counts from -1 */
export function writePosting(
  writer: ByteWriter,
  { ordinal, frequency, previous }: { ordinal: number; frequency: number; previous: number },
): number {
  const gap = ordinal - previous;
  if (frequency === 1) {
    writer.writeVarint(2 * gap + 1);
  } else {
    writer.writeVarint(2 * gap);
    writer.writeByte(frequency);
  }
  return ordinal;
}

/** The postings of one term, as a part of some bytes. */
export interface PostingList {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Number of postings. */
  count: number;
}

/** What BM25 needs of each chunk of a segment. */
export interface ChunkNorms {
  /** What a frequency is compared with, by the chunk's length. */
  norms: Float32Array;
  /** `1 / (1 + norm)`: what a term that occurs once is worth. Most do. */
  single: Float32Array;
}

/** Adds a term to the BM25 scores of the chunks that hold it: `weight * frequency / (frequency + norm)`. */
export function addScores(
  { bytes, start, end }: PostingList,
  weight: number,
  { norms, single }: ChunkNorms,
  scores: Float32Array,
): void {
  let at = start;
  let ordinal = -1;
  while (at < end) {
    let value = bytes[at++] as number;
    if (value > 0x7f) {
      value &= 0x7f;
      for (let shift = 7, byte = 0x80; byte > 0x7f; shift += 7) {
        byte = bytes[at++] as number;
        value |= (byte & 0x7f) << shift;
      }
    }
    ordinal += value >>> 1;
    if (value & 1) {
      (scores[ordinal] as number) += weight * (single[ordinal] as number);
    } else {
      const frequency = bytes[at++] as number;
      (scores[ordinal] as number) += (weight * frequency) / (frequency + (norms[ordinal] as number));
    }
  }
}

/** The ordinals of some of the chunks that hold a term, from all over the list. */
export function readOrdinals({ bytes, start, end, count }: PostingList, most: number): number[] {
  const reader = { bytes, at: start };
  const step = Math.max(1, count / most);
  const ordinals: number[] = [];
  for (let ordinal = -1, place = 0, next = 0; reader.at < end && ordinals.length < most; place++) {
    const value = readVarint(reader);
    if ((value & 1) === 0) reader.at++;
    ordinal += value >>> 1;
    if (place < next) continue;
    ordinals.push(ordinal);
    next += step;
  }
  return ordinals;
}

/** Finds a term in a bucket, which repeats: hash, number of postings, size of the postings, postings. */
export function findInBucket(bytes: Buffer, hash: number): PostingList | undefined {
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const found = bytes.readUInt32BE(reader.at);
    reader.at += 4;
    const count = readVarint(reader);
    const size = readVarint(reader);
    if (reader.at + size > bytes.length) throw damaged();
    if (found === hash) return { bytes, start: reader.at, end: reader.at + size, count };
    reader.at += size;
  }
  return undefined;
}

/** Writes the lengths of chunks in ascending order as repeated: increase, number of chunks. */
export function writeLengths(writer: ByteWriter, lengths: Uint32Array): void {
  let previous = 0;
  for (let start = 0, end = 0; start < lengths.length; start = end) {
    const length = lengths[start] as number;
    for (end = start + 1; lengths[end] === length; end++);
    writer.writeVarint(length - previous);
    writer.writeVarint(end - start);
    previous = length;
  }
}

/** Calculates a value for each chunk from its length. */
export function mapLengths(bytes: Buffer, values: Float32Array, toValue: (length: number) => number): void {
  const reader = { bytes, at: 0 };
  let length = 0;
  for (let start = 0; reader.at < bytes.length; ) {
    length += readVarint(reader);
    const end = start + readVarint(reader);
    values.fill(toValue(length), start, end);
    start = end;
  }
}

/** Reads what `ByteWriter` has written. */
export function readVarint(reader: { bytes: Uint8Array; at: number }): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.bytes[reader.at++];
    // Otherwise a search would never end.
    if (byte === undefined) throw damaged();
    value |= (byte & 0x7f) << shift;
    if (byte <= 0x7f) return value >>> 0;
  }
}

const damaged = () => new Error('The search index is damaged: a posting list ends too early.');
