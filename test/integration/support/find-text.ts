import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../db/schema.js';

/** The tables with a row that has the text in any column, in letters of any case or as bytes. */
export async function findText(db: Kysely<Schema>, text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by 1
  `.execute(db);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)} as t
      where position(lower(${text}) in lower(t::text)) > 0
        or position(encode(convert_to(${text}, 'UTF8'), 'hex') in t::text) > 0
        or position(${Buffer.from(text, 'utf16le').toString('hex')} in t::text) > 0
        or position(${Buffer.from(text, 'latin1').toString('hex')} in t::text) > 0
    `.execute(db);
    if ((rows[0]?.count ?? 0) > 0) found.push(name);
  }
  return found;
}
