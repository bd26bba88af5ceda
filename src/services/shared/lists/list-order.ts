import { type RawBuilder, sql } from 'kysely';

/** What entries are sorted by; equal ones by their id. */
export type SortKey = 'created' | 'updated' | 'name';

/** The orders of lists. Names are those of documents alone. */
export const ORDERS = {
  recent: { by: 'created', direction: 'desc' },
  oldest: { by: 'created', direction: 'asc' },
  updated: { by: 'updated', direction: 'desc' },
  name: { by: 'name', direction: 'asc' },
} as const satisfies Record<string, { by: SortKey; direction: 'asc' | 'desc' }>;

export type Order = keyof typeof ORDERS;

/** What `selectPageKeys` calls it. */
export const KEY_COLUMNS = { created: 'created_time', updated: 'updated_time', name: 'sort_name' } as const;

/** Of a document what people call it, in lower case and by its code points: the expression of an index. */
export function sortKey(by: SortKey, table: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  if (by !== 'name') return column(KEY_COLUMNS[by]);
  const names = sql.join(NAMES.map((name) => sql`nullif(${column(name)}, '')`));
  return sql`lower(left(coalesce(${names}, ${column('id')}), 200) collate "default") collate "C"`;
}

const NAMES = ['document_name', 'title', 'url', 'storage_path', 'external_id'];
