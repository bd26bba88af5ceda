import { query } from '../chaos/topology/join-cluster.js';

const known = new Map<string, Promise<string[]>>();

/** The addresses of the nodes of the cluster whose coordinator a server is, itself first; or its own alone. */
export function nodesOf(server: string): Promise<string[]> {
  const found = known.get(server) ?? findNodes(server);
  known.set(server, found);
  return found;
}

async function findNodes(server: string): Promise<string[]> {
  const { rows: extensions } = await query(server, `select from pg_extension where extname = 'citus'`);
  if (extensions.length === 0) return [server];
  const { rows } = await query(
    server,
    'select nodename as name, nodeport as port from pg_dist_node where groupid <> 0 order by nodeid',
  );
  return [
    server,
    ...rows.map(({ name, port }) => Object.assign(new URL(server), { host: `${name}:${port}` }).href),
  ];
}

/** Ends what is connected to a database, and lets nobody connect again: it can be copied. */
export async function closeToConnections(server: string, name: string): Promise<void> {
  await query(
    server,
    `update pg_database set datallowconn = false where datname = '${name}';
     select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  );
}
