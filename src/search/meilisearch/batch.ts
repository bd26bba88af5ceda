/** Chunks per task. */
export const BATCH_SIZE = 2_000;
/** The server takes requests of up to 100 MB; a Chinese character becomes up to sixteen bytes. */
const MAX_CHARACTERS = 6_000_000;
/** With more rejected chunks than this, the server is at fault. */
export const MAX_POISON_ROWS = 20;

/** The leading items that fit into one task; at least one. */
export function takeBatch<T>(items: T[], terms: (item: T) => string | null | undefined): T[] {
  let characters = 0;
  const end = items.findIndex((item) => {
    characters += terms(item)?.length ?? 0;
    return characters > MAX_CHARACTERS;
  });
  return end < 0 ? items : items.slice(0, Math.max(1, end));
}
