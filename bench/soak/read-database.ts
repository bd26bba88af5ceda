import type pg from 'pg';
import { readOwnMemory } from './read-process.js';

/** Connections, memory of PostgreSQL, and the size of each table with rows, by name. */
export async function readDatabase(pool: pg.Pool): Promise<Record<string, number>> {
  const { rows: sessions } = await pool.query<{ pid: number; isClient: boolean }>(`
    select pid, backend_type = 'client backend' as "isClient" from pg_stat_activity
    where pid <> pg_backend_pid()`);
  const memory = await readOwnMemory(sessions.filter(({ isClient }) => isClient).map(({ pid }) => pid));
  const { rows: tables } = await pool.query<Record<string, string | number>>(`
    select coalesce(parent.relname, c.relname)::text as name, sum(pg_table_size(c.oid))::float as table,
      sum(pg_indexes_size(c.oid))::float as indexes, sum(n_live_tup)::float as rows, sum(n_dead_tup)::float as dead
    from pg_class as c join pg_stat_user_tables as s on s.relid = c.oid
    left join pg_inherits as i on i.inhrelid = c.oid left join pg_class as parent on parent.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    group by 1 having sum(pg_table_size(c.oid)) > 65536`);
  return {
    connections: sessions.filter(({ isClient }) => isClient).length,
    ...(memory !== undefined && { memory }),
    ...Object.fromEntries(
      tables.flatMap(({ name, ...sizes }) =>
        Object.entries(sizes).map(([what, size]) => [`${name} ${what}`, Number(size)]),
      ),
    ),
  };
}
