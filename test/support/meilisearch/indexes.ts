import { ApiError, indexNotFound } from './errors.js';
import { DEFAULTS, type Settings } from './settings.js';

export type Document = Record<string, unknown>;

export interface Index {
  createdAt: string;
  primaryKey: string | null;
  settings: Settings;
  documents: Map<string, Document>;
}

export type Indexes = ReturnType<typeof createIndexes>;

/** The indexes of one server. */
export function createIndexes() {
  const indexes = new Map<string, Index>();

  function get(uid: string): Index {
    const index = indexes.get(uid);
    if (!index) throw indexNotFound(uid);
    return index;
  }

  function create(uid: string, primaryKey: string | null): Index {
    if (indexes.has(uid)) {
      throw new ApiError(409, 'index_already_exists', `Index \`${uid}\` already exists.`);
    }
    const createdAt = new Date().toISOString();
    const index = { createdAt, primaryKey, settings: DEFAULTS, documents: new Map() };
    indexes.set(uid, index);
    return index;
  }

  return {
    get,
    create,
    getOrCreate: (uid: string, mayCreate: boolean) =>
      mayCreate && !indexes.has(uid) ? create(uid, null) : get(uid),

    /** Returns the number of its documents. */
    delete(uid: string): number {
      const { size } = get(uid).documents;
      indexes.delete(uid);
      return size;
    },

    swap(pairs: [string, string][]): void {
      const missing = pairs.flat().filter((uid) => !indexes.has(uid));
      if (missing.length) throw indexNotFound(...missing.sort());
      for (const [a, b] of pairs) {
        const [first, second] = [get(a), get(b)];
        indexes.set(a, second).set(b, first);
      }
    },
  };
}
