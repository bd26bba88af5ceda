import { setImmediate } from 'node:timers/promises';
import { readStoredWords } from '../../indexing/chunk-words.js';
import { isUnspaced, termsOf } from '../../ranking/analyze.js';
import { ByteWriter } from './byte-writer.js';
import { hashTerm } from './hash-term.js';
import { MAX_FREQUENCY, writeLengths, writePosting } from './posting-format.js';
import { type MetadataRow, SegmentMetadata } from './segment-metadata.js';
import { SegmentWords, type WordRow } from './segment-words.js';

/** From so many postings on, a term has a row of its own. */
const FREQUENT = 64;
/** Bytes of a bucket, about. */
const BUCKET_BYTES = 1_500;
/** Postings handled at a time; other requests go on in between. */
const STEP = 32_768;

/** The number of a chunk has 24 bits in a posting. */
const MAX_CHUNKS = 2 ** 24;

/** A chunk as it is indexed. */
export interface PostedChunk {
  chunkId: string;
  documentId: string;
  /** Its tokens, separated by spaces. */
  terms: string;
  /** Those of its words that are not their own terms. Null: it is not found by words that it resembles. */
  words: string | null;
  /** In terms. */
  length: number;
  metadata: object;
}

/** One row of `posting_lists`. */
export interface PostingRow {
  /** The hash of a frequent term; of a bucket, -1 less its number. */
  key: number;
  /** How many chunks hold the term; null for a bucket. */
  chunks: number | null;
  postings: Buffer;
}

/** What a segment consists of. */
export interface Segment {
  /** Number of chunks. */
  chunks: number;
  /** 16 bytes each, by the chunks' length, which is their order in the segment. */
  chunkIds: Buffer;
  lengths: Buffer;
  /** Of all chunks, in terms. */
  length: number;
  /** The ordinals of its chunks by document. */
  documents: Map<string, number[]>;
  /** Over how many rows the rare terms are spread. */
  buckets: number;
  rows: Generator<PostingRow>;
  words: Generator<WordRow>;
  /** Whether its chunks are found by their metadata. */
  hasMetadata: boolean;
  metadata: Generator<MetadataRow>;
}

/** Collects chunks and makes a segment of them, in memory: 16 bytes for each distinct term of a chunk. */
export class SegmentBuilder {
  /** Of all chunks, in terms. */
  length = 0;
  readonly #ids = new ByteWriter();
  readonly #lengths: number[] = [];
  /** The document of each chunk. */
  readonly #documents: string[] = [];
  readonly #postings = new PostingArray(1_024);
  readonly #words = new SegmentWords();
  readonly #metadata = new SegmentMetadata();

  get chunks(): number {
    return this.#lengths.length;
  }

  add({ chunkId, documentId, terms, words, length, metadata }: PostedChunk): void {
    const number = this.#lengths.push(length) - 1;
    this.#ids.writeHex(chunkId.replaceAll('-', ''));
    this.#documents.push(documentId);
    this.length += length;
    if (words !== null) this.#words.add(readStoredWords({ terms, words }));
    this.#metadata.add(number, metadata);
    const hashes = hashTerms(terms, length).sort();
    for (let i = 0, next = 0; i < hashes.length; i = next) {
      const hash = hashes[i] as number;
      for (next = i + 1; hashes[next] === hash; next++);
      this.#postings.push(hash, number, Math.min(next - i, MAX_FREQUENCY));
    }
  }

  /** Makes the segment; the builder is used up afterwards. Other requests go on in between. */
  async finish(): Promise<Segment> {
    const { chunks, length } = this;
    // Length and number in one, so that they are sorted natively.
    const byLength = Float64Array.from(this.#lengths, (size, number) => size * MAX_CHUNKS + number).sort();
    const ids = this.#ids.take();
    const chunkIds = Buffer.allocUnsafe(ids.length);
    const ordinals = new Uint32Array(chunks);
    const documents = new Map<string, number[]>();
    for (const [ordinal, key] of byLength.entries()) {
      const number = key % MAX_CHUNKS;
      ordinals[number] = ordinal;
      const documentId = this.#documents[number] as string;
      const others = documents.get(documentId);
      if (others) others.push(ordinal);
      else documents.set(documentId, [ordinal]);
      ids.copy(chunkIds, 16 * ordinal, 16 * number, 16 * number + 16);
    }
    const lengths = new ByteWriter();
    writeLengths(
      lengths,
      Uint32Array.from(byLength, (key) => Math.floor(key / MAX_CHUNKS)),
    );
    const postings = await this.#postings.sort(ordinals);
    const buckets = await countBuckets(postings);
    const rows = toRows(postings, buckets);
    const words = this.#words.rows();
    return {
      chunks,
      chunkIds,
      lengths: lengths.take(),
      length,
      documents,
      buckets,
      rows,
      words,
      hasMetadata: this.#metadata.isComplete,
      metadata: this.#metadata.rows(ordinals),
    };
  }
}

/** The hashes of a chunk's terms, one for each occurrence. */
function hashTerms(tokens: string, length: number): Uint32Array {
  const hashes = new Uint32Array(length);
  let count = 0;
  for (const token of tokens.split(' ')) {
    if (isUnspaced(token)) for (const term of termsOf(token)) hashes[count++] = hashTerm(term);
    else if (token !== '') hashes[count++] = hashTerm(token);
  }
  return hashes.subarray(0, count);
}

/**
 * Postings as whole numbers of 64 bits: hash, number of the chunk (24 bits), frequency (8 bits). In this form they are
 * sorted natively; on little-endian machines the upper half comes second.
 */
class PostingArray {
  count = 0;
  #halves: Uint32Array;

  constructor(capacity: number) {
    this.#halves = new Uint32Array(2 * capacity);
  }

  push(hash: number, chunk: number, frequency: number): void {
    if (2 * this.count === this.#halves.length) {
      const larger = new Uint32Array(2 * this.#halves.length);
      larger.set(this.#halves);
      this.#halves = larger;
    }
    this.#set(this.count++, hash, chunk, frequency);
  }

  hashAt = (i: number): number => this.#halves[2 * i + 1] as number;
  chunkAt = (i: number): number => (this.#halves[2 * i] as number) >>> 8;
  frequencyAt = (i: number): number => (this.#halves[2 * i] as number) & 0xff;

  /** End of the range of postings that have the hash of the first. */
  endOfTerm(start: number): number {
    const hash = this.hashAt(start);
    let end = start + 1;
    while (end < this.count && this.hashAt(end) === hash) end++;
    return end;
  }

  /** Sorted by hash and chunk, after the chunks were renumbered. Spread over parts by hash, then part by part. */
  async sort(newNumbers: Uint32Array): Promise<PostingArray> {
    const parts = Math.ceil(this.count / STEP);
    const partOf = (i: number) => Math.floor((this.hashAt(i) * parts) / 2 ** 32);
    const ends = new Uint32Array(parts + 1);
    for (let i = 0; i < this.count; i++) {
      (ends[partOf(i) + 1] as number)++;
      if (i % STEP === 0) await setImmediate();
    }
    for (let part = 0; part < parts; part++) (ends[part + 1] as number) += ends[part] as number;
    const starts = ends.slice();
    const sorted = new PostingArray(this.count);
    sorted.count = this.count;
    for (let i = 0; i < this.count; i++) {
      const at = (starts[partOf(i)] as number)++;
      sorted.#set(at, this.hashAt(i), newNumbers[this.chunkAt(i)] as number, this.frequencyAt(i));
      if (i % STEP === 0) await setImmediate();
    }
    const whole = new BigUint64Array(sorted.#halves.buffer);
    for (let part = 0; part < parts; part++) {
      whole.subarray(ends[part], ends[part + 1]).sort();
      await setImmediate();
    }
    return sorted;
  }

  #set(i: number, hash: number, chunk: number, frequency: number): void {
    this.#halves[2 * i] = ((chunk << 8) | frequency) >>> 0;
    this.#halves[2 * i + 1] = hash;
  }
}

/** So many that each has the size wanted. */
async function countBuckets(postings: PostingArray): Promise<number> {
  let bytes = 0;
  let pausedAt = 0;
  for (let start = 0, end = 0; start < postings.count; start = end) {
    end = postings.endOfTerm(start);
    if (end - start < FREQUENT) bytes += 6 + 2 * (end - start);
    if (end - pausedAt < STEP) continue;
    pausedAt = end;
    await setImmediate();
  }
  return Math.max(1, Math.round(bytes / BUCKET_BYTES));
}

function* toRows(postings: PostingArray, buckets: number): Generator<PostingRow> {
  const [list, bucket] = [new ByteWriter(), new ByteWriter()];
  let open = 0;
  for (let start = 0, end = 0; start < postings.count; start = end) {
    end = postings.endOfTerm(start);
    const hash = postings.hashAt(start);
    const number = Math.floor((hash * buckets) / 2 ** 32);
    if (number !== open && bucket.length > 0) yield { key: -1 - open, chunks: null, postings: bucket.take() };
    open = number;
    for (let i = start, previous = -1; i < end; i++) {
      previous = writePosting(list, {
        ordinal: postings.chunkAt(i),
        frequency: postings.frequencyAt(i),
        previous,
      });
    }
    const bytes = list.take();
    if (end - start >= FREQUENT) {
      yield { key: hash, chunks: end - start, postings: bytes };
      continue;
    }
    bucket.writeUint32(hash);
    bucket.writeVarint(end - start);
    bucket.writeVarint(bytes.length);
    bucket.writeBytes(bytes);
  }
  if (bucket.length > 0) yield { key: -1 - open, chunks: null, postings: bucket.take() };
}
