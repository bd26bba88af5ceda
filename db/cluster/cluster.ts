import { type CatalogTable, childrenFirst, TABLES_QUERY } from '../catalog.js';
import { placementOf } from './layout.js';

/** Runs a statement on any client. */
export type Query = <Row>(text: string) => Promise<{ rows: Row[] }>;

/** A database that cannot be used as a cluster. The message says why, and what to do. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
}

/** What a cluster's nodes say of themselves. */
export interface Cluster {
  version: string;
  /** Whether the server is the coordinator. */
  isCoordinator: boolean;
  /** Whether the other nodes know where the coordinator is. */
  isRegistered: boolean;
  /** As `host:port`, without the coordinator. */
  workers: string[];
  /** Nodes that others cannot reach. */
  unreachable: string[];
}

const LEAST_VERSION = 12;

/** Whether the database is a cluster's: it has the extension Citus. */
export async function isCluster(query: Query): Promise<boolean> {
  const { rows } = await query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

export async function readCluster(query: Query): Promise<Cluster> {
  const { rows } = await query<Cluster>(`
    select current_setting('citus.version') as version, citus_is_coordinator() as "isCoordinator",
      exists (select from pg_dist_node where groupid = 0) as "isRegistered",
      array(select nodename || ':' || nodeport from pg_dist_node
            where groupid <> 0 and noderole = 'primary' order by nodeid) as workers,
      array(select distinct to_nodename || ':' || to_nodeport from citus_check_cluster_node_health()
            where not coalesce(result, false) order by 1) as unreachable`);
  return rows[0] as Cluster;
}

/**
 * @returns why the service does not run on it, and what to do, in two sentences; undefined where it does
 */
export function findObstacle({ version, isCoordinator, isRegistered }: Cluster): string | undefined {
  if (Number.parseInt(version, 10) < LEAST_VERSION)
    return `Citus ${version} is older than ${LEAST_VERSION}. Upgrade it on all nodes.`;
  if (!isCoordinator)
    return 'The server is a worker of a cluster. Name the coordinator of the cluster in DATABASE_URL.';
  if (!isRegistered)
    return `The nodes of the cluster do not know the coordinator. Have an administrator run on it: select citus_set_coordinator_host('HOST', PORT);`;
  return undefined;
}

/** The tables that the layout wants elsewhere than where they are; those that others refer to come first. */
export async function findUnplaced(query: Query): Promise<CatalogTable[]> {
  const { rows: tables } = await query<CatalogTable>(TABLES_QUERY);
  const { rows } = await query<{ name: string }>(
    'select relname::text as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid',
  );
  const placed = new Set(rows.map(({ name }) => name));
  return childrenFirst(tables)
    .reverse()
    .filter(({ name }) => !placed.has(name) && placementOf(name) !== 'local');
}
