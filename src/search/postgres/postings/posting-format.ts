import type { ByteWriter } from './byte-writer.js';

/*
 * Posting lists as bytes. The chunks of a segment are numbered by their length. A posting is the gap to the chunk
 * before it as a number of variable length, whose lowest bit says that the term occurs once; else a byte with its
 * frequency follows. (Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008, chapter 5.)
 */

/** Greater frequencies count as this one. */
export const MAX_FREQUENCY = 255;
/** Above those of all segments. */
const MAX_ORDINAL = 2 ** 26;

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
  /** Where its windows begin, once it was searched. */
  windows?: ListWindows;
}

/**
 * Where the postings of each window of chunks begin, up to the last posting, and the highest frequency in it: windows that cannot
 * matter are not read. (Ding and Suel, "Faster top-k document retrieval using block-max indexes", 2011.)
 */
export interface ListWindows {
  /** Twice the ordinal of the first posting at or after the window's start, and 1 more if it occurs once. */
  firsts: Uint32Array;
  /** Where its frequency is, or the next posting. */
  offsets: Uint32Array;
  /** 0 where the window has no posting. */
  frequencies: Uint8Array;
}

/** Finds the windows of a list of this many chunks each. */
export function readWindows({ bytes, start, end }: PostingList, size: number): ListWindows {
  const firsts: number[] = [];
  const offsets: number[] = [];
  const frequencies: number[] = [];
  const reader = { bytes, at: start };
  for (let ordinal = -1; reader.at < end; ) {
    const value = readVarint(reader);
    ordinal += value >>> 1;
    if (ordinal > MAX_ORDINAL) throw damaged();
    const window = Math.floor(ordinal / size);
    while (firsts.length <= window) {
      firsts.push(2 * ordinal + (value & 1));
      offsets.push(reader.at);
      frequencies.push(0);
    }
    const frequency = (value & 1) === 1 ? 1 : (bytes[reader.at++] ?? 1);
    if (frequency > (frequencies[window] as number)) frequencies[window] = frequency;
  }
  return {
    firsts: Uint32Array.from(firsts),
    offsets: Uint32Array.from(offsets),
    frequencies: Uint8Array.from(frequencies),
  };
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

/** Reads the lengths of chunks: the ordinal after the last chunk of each length. */
export function readLengths(bytes: Buffer): { length: number; end: number }[] {
  const reader = { bytes, at: 0 };
  const runs: { length: number; end: number }[] = [];
  for (let length = 0, end = 0; reader.at < bytes.length; ) {
    length += readVarint(reader);
    end += readVarint(reader);
    runs.push({ length, end });
  }
  return runs;
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
