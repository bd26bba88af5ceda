import type { IndexedChunk } from './indexed-chunks.js';

/** Chunks per task. */
export const BATCH_SIZE = 2_000;
/** The server takes requests of up to 100 MB; in the terms a Chinese character becomes up to sixteen bytes. */
const MAX_CHARACTERS = 6_000_000;
/** With more rejected chunks than this, the server is at fault. */
export const MAX_POISON_ROWS = 20;

/** The leading items that fit into one task; at least one. */
export function takeBatch<T>(items: T[], chunkOf: (item: T) => IndexedChunk | null): T[] {
  let characters = 0;
  const end = items.findIndex((item) => {
    characters += countCharacters(chunkOf(item));
    return characters > MAX_CHARACTERS;
  });
  return end < 0 ? items : items.slice(0, Math.max(1, end));
}

const countCharacters = (chunk: IndexedChunk | null): number =>
  chunk?.id ? chunk.terms.length + chunk.content.length + chunk.contentComplement.length : 0;
