import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { countWords, packSigns } from './binary-vectors.js';
import type { EmbeddingModel } from './models.js';
import { readVectorBatch } from './read-vectors.js';

/** Chunks whose vectors one statement reads, and the part of a segment that it reads their ids from. */
const MAX_CHUNKS_READ = 2_000;
const MAX_SPAN_READ = 20_000;
/** Vectors that were missing are looked for again after a pause that doubles while none is there. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** A segment of postings, which never changes. */
export interface Segment {
  id: number;
  chunks: number;
}

/** What is in memory of a segment's vectors. */
export interface CachedSegment extends Segment {
  /** Those of the chunks by their ordinals, as {@link packSigns} packs them. */
  words: Uint32Array;
  /** 1 for each chunk whose vector is there. */
  found: Uint8Array;
}

interface Entry extends CachedSegment {
  tenantId: string;
  model: EmbeddingModel;
  missing: number;
  pauseMs: number;
  /** When those that are missing are looked for again. */
  dueAt: number;
  filling?: Promise<void> | undefined;
  isInBackground: boolean;
}

export interface VectorCache {
  /**
   * What is known of the segments: nothing where all of them are more than the memory allows. Those that are not in
   * memory are read, in the background unless they are small.
   */
  read(model: EmbeddingModel, tenantId: string, segments: Segment[]): Promise<CachedSegment[]>;
}

/** Keeps vectors of searched segments in memory, one bit for each dimension; those used least recently go first. */
export function createVectorCache({
  db,
  maxBytes,
  maxAwaited,
  stopping,
  log,
}: {
  db: Database;
  maxBytes: number;
  /** Chunks whose vectors a search waits for, at most. */
  maxAwaited: number;
  stopping: AbortSignal;
  log: Logger;
}): VectorCache {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  /** One segment at a time is read in the background. */
  let last: Promise<void> = Promise.resolve();
  return { read };

  async function read(
    model: EmbeddingModel,
    tenantId: string,
    segments: Segment[],
  ): Promise<CachedSegment[]> {
    if (segments.reduce((sum, { chunks }) => sum + sizeOf(model, chunks), 0) > maxBytes) return [];
    const used = segments.map((segment) => use(model, tenantId, segment));
    const now = performance.now();
    const due = used.filter(
      ({ missing, dueAt, isInBackground }) => missing > 0 && dueAt <= now && !isInBackground,
    );
    if (due.reduce((sum, { missing }) => sum + missing, 0) <= maxAwaited) await Promise.all(due.map(fill));
    else for (const entry of due) fillInBackground(entry);
    return used;
  }

  function use(model: EmbeddingModel, tenantId: string, { id, chunks }: Segment): Entry {
    const key = `${model.id} ${id}`;
    const entry = entries.get(key) ?? {
      ...{
        id,
        chunks,
        tenantId,
        model,
        missing: chunks,
        pauseMs: FIRST_PAUSE_MS,
        dueAt: 0,
        isInBackground: false,
      },
      words: new Uint32Array(chunks * countWords(model.dimensions)),
      found: new Uint8Array(chunks),
    };
    if (!entries.delete(key)) bytes += sizeOf(model, chunks);
    entries.set(key, entry);
    for (const [oldest, { model, chunks }] of entries) {
      if (bytes <= maxBytes) break;
      entries.delete(oldest);
      bytes -= sizeOf(model, chunks);
    }
    return entry;
  }

  function fillInBackground(entry: Entry): void {
    entry.isInBackground = true;
    last = last
      .then(() => fill(entry))
      .then(() => {
        entry.isInBackground = false;
      });
  }

  /** Reads what is missing; the next search tries again after a failure, and this one goes on with what is there. */
  function fill(entry: Entry): Promise<void> {
    entry.filling ??= readMissing(entry)
      .catch((error) => {
        entry.dueAt = performance.now() + entry.pauseMs;
        if (!stopping.aborted) log.warn({ err: error }, 'could not read vectors');
      })
      .finally(() => {
        entry.filling = undefined;
      });
    return entry.filling;
  }

  async function readMissing(entry: Entry): Promise<void> {
    const { id, tenantId, model, words, found } = entry;
    const before = entry.missing;
    for (const ordinals of inBatches(found)) {
      if (stopping.aborted || entries.get(`${model.id} ${id}`) !== entry) return;
      const vectors = await readVectorBatch(db, { tenantId, model }, { segmentId: id, ordinals });
      for (const { ordinal, scale, vector } of vectors) {
        packSigns(new Int8Array(vector.buffer, vector.byteOffset, vector.length), words, {
          start: ordinal * countWords(model.dimensions),
          scale,
          center: model.center,
        });
        found[ordinal] = 1;
        entry.missing--;
      }
    }
    entry.pauseMs = entry.missing < before ? FIRST_PAUSE_MS : Math.min(2 * entry.pauseMs, LONGEST_PAUSE_MS);
    entry.dueAt = performance.now() + entry.pauseMs;
  }
}

const sizeOf = ({ dimensions }: EmbeddingModel, chunks: number): number =>
  chunks * (1 + 4 * countWords(dimensions));

/** The ordinals of chunks whose vectors are missing, so many of a part of the segment at a time. */
function* inBatches(found: Uint8Array): Generator<number[]> {
  let batch: number[] = [];
  for (let ordinal = 0; ordinal < found.length; ordinal++) {
    if (found[ordinal]) continue;
    if (batch.length === MAX_CHUNKS_READ || ordinal - (batch[0] ?? ordinal) >= MAX_SPAN_READ) {
      yield batch;
      batch = [];
    }
    batch.push(ordinal);
  }
  if (batch.length > 0) yield batch;
}
