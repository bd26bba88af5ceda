/** Keeps the values that were used last, up to a number of bytes. */
export function createTextCache<T>(maxBytes: number) {
  const entries = new Map<string, { value: T; bytes: number }>();
  let total = 0;

  return {
    get(key: string): T | undefined {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // The least recently used one is the first.
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },

    set(key: string, value: T, bytes: number): void {
      remove(key);
      if (bytes > maxBytes) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        remove(oldest);
      }
    },
  };

  function remove(key: string): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }
}
