import { ClusterError, findObstacle, findUnplaced, isCluster, type Query, readCluster } from './cluster.js';
import { type Placement, placementOf } from './layout.js';

/** @throws ClusterError where the database is a cluster's on which the service does not run */
export async function assertUsableCluster(query: Query): Promise<void> {
  const obstacle = (await isCluster(query)) && findObstacle(await readCluster(query));
  if (obstacle) throw new ClusterError(obstacle);
}

/** Whether there are tables to be distributed. */
export const isUndistributed = async (query: Query): Promise<boolean> =>
  (await isCluster(query)) && (await findUnplaced(query)).length > 0;

/**
 * Puts the tables of a cluster's database where the layout says, with their rows. Those that are there stay: it can be run
 * again, also after it was killed. Does nothing without the extension Citus.
 *
 * @param onBegin called with a sentence for people before tables are moved
 */
export async function distributeTables(query: Query, onBegin: (sentence: string) => void): Promise<void> {
  if (!(await isUndistributed(query))) return;
  onBegin('Moving tables to the nodes of the cluster.');
  await query(LET_ROLE_LOG_IN);
  await query(SHARE_FUNCTIONS);
  await query(LOG_DRAFTS);
  for (const { name } of await findUnplaced(query)) {
    const placement = placementOf(name);
    // One statement each: where it is killed, the next call goes on.
    if (placement !== 'local') await query(PLACE[placement](name));
  }
}

const PLACE: Record<Exclude<Placement, 'local'>, (table: string) => string> = {
  shard: (table) => `
    select create_distributed_table('${table}', 'tenant_id', colocate_with => coalesce(
      (select logicalrelid::text from pg_dist_partition where partmethod = 'h' order by logicalrelid limit 1), 'default'))`,
  reference: (table) => `select create_reference_table('${table}')`,
  coordinator: (table) =>
    `select citus_add_local_table_to_metadata('${table}', cascade_via_foreign_keys => true)`,
};

/** Connections between nodes are those of the role that a transaction has taken on. */
const LET_ROLE_LOG_IN = `do $$ begin execute format('alter role %I login', tenant_role()); end $$`;

/** Shards move by logical replication, which unlogged tables do not take part in. */
const LOG_DRAFTS = 'alter table chunk_drafts set logged';

/** Functions that statements call on shards, where they were made before the extension: those that others call come first. */
const SHARE_FUNCTIONS = `
  select create_distributed_function(f.oid::regprocedure)
  from pg_proc as f
  where f.pronamespace = current_schema()::regnamespace
    and f.prolang = (select oid from pg_language where lanname = 'sql')
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = f.oid and deptype = 'e')
    and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = f.oid)
  order by f.oid`;
