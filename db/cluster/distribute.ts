import type pg from 'pg';
import { type CatalogTable, childrenFirst, TABLES_QUERY } from '../catalog.js';
import { layout, type Placement } from './layout.js';

/** Whether the database is a cluster's: it has the extension Citus. */
export async function isCluster(session: pg.ClientBase): Promise<boolean> {
  const { rows } = await session.query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

/**
 * Puts the tables of a cluster's database where the layout says, with their rows. Those that are there stay: it can be run
 * again, also after it was killed.
 *
 * @returns the tables that were moved
 */
export async function distributeTables(session: pg.ClientBase): Promise<string[]> {
  const tables = await findUnplaced(session);
  if (tables.length === 0) return [];
  // HACK
  await session.query(
    `do $$ declare r record; begin for r in select tgname, tgrelid::regclass t from pg_trigger join pg_class c on c.oid=tgrelid where not tgisinternal and tgparentid=0 and tgrelid::regclass::text not like 'pg_%' loop execute format('drop trigger %I on %s', r.tgname, r.t); end loop; end $$`,
  );
  await session.query(
    'alter table processing_jobs drop constraint processing_jobs_tenant_id_document_id_fkey',
  );
  await session.query(LET_ROLE_LOG_IN);
  await session.query(SHARE_FUNCTIONS);
  for (const { name } of tables) {
    const placement = placementOf(name);
    if (placement !== 'local') await session.query(PLACE[placement], [name]);
  }
  return tables.map(({ name }) => name);
}

export const isUndistributed = async (session: pg.ClientBase): Promise<boolean> =>
  (await findUnplaced(session)).length > 0;

/** @throws Error for a table that the layout lacks */
export function placementOf(table: string): Placement {
  const choice = layout[table];
  if (!choice) throw new Error(`The layout of a cluster has no table "${table}".`);
  return choice.placement;
}

/** Tables that others refer to come first. */
async function findUnplaced(session: pg.ClientBase): Promise<CatalogTable[]> {
  const { rows: tables } = await session.query<CatalogTable>(TABLES_QUERY);
  const { rows } = await session.query<{ name: string }>(
    'select relname::text as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid',
  );
  const placed = new Set(rows.map(({ name }) => name));
  return childrenFirst(tables)
    .reverse()
    .filter(({ name }) => !placed.has(name) && placementOf(name) !== 'local');
}

const PLACE: Record<Exclude<Placement, 'local'>, string> = {
  shard: `
    select create_distributed_table($1::text, 'tenant_id', colocate_with => coalesce(
      (select logicalrelid::text from pg_dist_partition where partmethod = 'h' order by logicalrelid limit 1), 'default'))`,
  reference: 'select create_reference_table($1::text)',
  coordinator: 'select citus_add_local_table_to_metadata($1::text, cascade_via_foreign_keys => true)',
};

/** Connections between nodes are those of the role that a transaction has taken on. */
const LET_ROLE_LOG_IN = `do $$ begin execute format('alter role %I login', tenant_role()); end $$`;

/** Functions that statements call on shards, where they were made before the extension. */
const SHARE_FUNCTIONS = `
  select create_distributed_function(f.oid::regprocedure)
  from pg_proc as f
  where f.pronamespace = current_schema()::regnamespace
    and f.prolang = (select oid from pg_language where lanname = 'sql')
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = f.oid and deptype = 'e')
    and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = f.oid)`;
