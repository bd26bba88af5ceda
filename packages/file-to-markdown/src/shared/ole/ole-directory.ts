/** [MS-CFB] 2.6.1: an entry of the directory, in a tree with the others of its storage. */
const ENTRY = {
  nameLength: 64,
  type: 66,
  left: 68,
  right: 72,
  child: 76,
  first: 116,
  length: 120,
  size: 128,
};
const [STORAGE, STREAM] = [1, 2];

/** A storage or a stream. */
export interface OleEntry {
  /** Place in the directory. */
  id: number;
  name: string;
  isStream: boolean;
  /** Number of the first sector of a stream, and its length. */
  first: number;
  length: number;
  /** Of a storage, in their order. */
  children: OleEntry[];
}

/**
 * The entries of a directory, the root first, and those below it with their children.
 *
 * @param onDamage called for an entry that is below several others, or itself; it counts once
 */
export function readOleDirectory(directory: Buffer, onDamage: () => void): OleEntry[] {
  const numberAt = (id: number, field: 'left' | 'right' | 'child' | 'first' | 'length') =>
    directory.readUInt32LE(id * ENTRY.size + ENTRY[field]);
  const typeOf = (id: number) => directory[id * ENTRY.size + ENTRY.type];
  const entries = Array.from({ length: Math.floor(directory.length / ENTRY.size) }, (_, id): OleEntry => {
    const start = id * ENTRY.size;
    // The name ends in a zero, which counts.
    const nameLength = Math.min(directory.readUInt16LE(start + ENTRY.nameLength), ENTRY.nameLength);
    return {
      id,
      name: directory.toString('utf16le', start, start + Math.max(0, nameLength - 2)),
      isStream: typeOf(id) === STREAM,
      first: numberAt(id, 'first'),
      length: numberAt(id, 'length'),
      children: [],
    };
  });

  const seen = new Set([0]);
  const take = (id: number): OleEntry | undefined => {
    const entry = entries[id];
    if (!entry) return undefined;
    if (seen.has(id)) return void onDamage();
    seen.add(id);
    return entry;
  };
  const storages = entries.slice(0, 1);
  for (const storage of storages) {
    const path: OleEntry[] = [];
    let entry = take(numberAt(storage.id, 'child'));
    while (entry || path.length > 0) {
      for (; entry; entry = take(numberAt(entry.id, 'left'))) path.push(entry);
      const next = path.pop();
      if (!next) break;
      storage.children.push(next);
      if (typeOf(next.id) === STORAGE) storages.push(next);
      entry = take(numberAt(next.id, 'right'));
    }
  }
  return entries;
}
