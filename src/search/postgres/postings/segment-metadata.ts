import { type EntryRange, entriesOf, hashName } from '../../filter/entry.js';
import { ByteWriter } from './byte-writer.js';
import { readVarint } from './posting-format.js';
import { sortedParts } from './segment-words.js';

/*
 * Which chunks of a segment have a value in their metadata: entries in ascending order, in blocks. An entry is the number of
 * bytes that it shares with the one before it in the block, its other bytes with their number, how many chunks have it, and
 * the gaps between these.
 */

/** Of a block, about, but for an entry of many chunks. Larger rows are stored apart. */
const BLOCK_BYTES = 1_500;
/** Of a chunk; of others the metadata is not indexed. */
const MAX_KEYS = 64;

/** One row of `posting_segment_metadata`. */
export interface MetadataRow {
  firstEntry: Buffer;
  entries: Buffer;
}

/** Collects the metadata of chunks. */
export class SegmentMetadata {
  /** Whether all of it is indexed. */
  isComplete = true;
  /** Numbers of chunks by name, and the entry without its name as a string whose characters are its bytes. */
  readonly #chunks = new Map<string, Map<string, number[]>>();

  add(chunk: number, metadata: object): void {
    const fields = Object.entries(metadata);
    if (fields.length > MAX_KEYS) this.isComplete = false;
    if (!this.isComplete) return;
    for (const [name, value] of fields) {
      const byEntry = this.#chunks.get(name) ?? new Map<string, number[]>();
      this.#chunks.set(name, byEntry);
      for (const entry of entriesOf(value)) {
        const key = entry.toString('latin1');
        const chunks = byEntry.get(key);
        if (!chunks) byEntry.set(key, [chunk]);
        else if (chunks.at(-1) !== chunk) chunks.push(chunk);
      }
    }
  }

  /**
   * Each row is made in some milliseconds.
   *
   * @param ordinals of the chunks, by their numbers
   */
  *rows(ordinals: Uint32Array): Generator<MetadataRow> {
    if (!this.isComplete) return;
    const block = new BlockWriter();
    const list = new ByteWriter();
    for (const { hash, byEntry } of this.#names()) {
      for (const sorted of sortedParts([...byEntry.keys()])) {
        for (const key of sorted) {
          const chunks = byEntry.get(key) as number[];
          writeGaps(list, Uint32Array.from(chunks, (chunk) => ordinals[chunk] as number).sort());
          if (!block.isEmpty && block.length + list.length > BLOCK_BYTES) yield block.take();
          block.add(Buffer.concat([hash, Buffer.from(key, 'latin1')]), chunks.length, list.take());
        }
      }
    }
    if (!block.isEmpty) yield block.take();
  }

  #names() {
    return [...this.#chunks]
      .map(([name, byEntry]) => ({ hash: hashName(name), byEntry }))
      .sort((a, b) => Buffer.compare(a.hash, b.hash));
  }
}

function writeGaps(writer: ByteWriter, ordinals: Uint32Array): void {
  let previous = -1;
  for (const ordinal of ordinals) {
    writer.writeVarint(ordinal - previous);
    previous = ordinal;
  }
}

class BlockWriter {
  readonly #bytes = new ByteWriter();
  #first: Buffer | undefined;
  #last: Buffer = Buffer.alloc(0);

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  get length(): number {
    return this.#bytes.length;
  }

  add(entry: Buffer, count: number, list: Buffer): void {
    this.#first ??= entry;
    let shared = 0;
    while (shared < entry.length && entry[shared] === this.#last[shared]) shared++;
    this.#bytes.writeByte(shared);
    this.#bytes.writeByte(entry.length - shared);
    this.#bytes.writeBytes(entry.subarray(shared));
    this.#bytes.writeVarint(count);
    this.#bytes.writeVarint(list.length);
    this.#bytes.writeBytes(list);
    this.#last = entry;
  }

  take(): MetadataRow {
    const row = { firstEntry: this.#first as Buffer, entries: this.#bytes.take() };
    this.#first = undefined;
    this.#last = Buffer.alloc(0);
    return row;
  }
}

/** Visits the ordinals of chunks that have an entry of a block within a range, some more than once. */
export function visitOrdinals(
  bytes: Buffer,
  { least, most }: EntryRange,
  visit: (ordinal: number) => void,
): void {
  const reader = { bytes, at: 0 };
  const entry = Buffer.alloc(256);
  while (reader.at < bytes.length) {
    const shared = bytes[reader.at++] as number;
    const rest = bytes[reader.at++] as number;
    bytes.copy(entry, shared, reader.at, reader.at + rest);
    reader.at += rest;
    const count = readVarint(reader);
    const size = readVarint(reader);
    const found = entry.subarray(0, shared + rest);
    if (Buffer.compare(found, most) > 0) return;
    if (Buffer.compare(found, least) < 0) {
      reader.at += size;
      continue;
    }
    for (let i = 0, ordinal = -1; i < count; i++) {
      ordinal += readVarint(reader);
      visit(ordinal);
    }
  }
}
