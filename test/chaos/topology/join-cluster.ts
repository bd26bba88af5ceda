import pg from 'pg';

/** Makes a cluster of a database that all nodes have, if there are several. The first is to be the coordinator. */
export async function joinCluster([coordinator, ...workers]: string[]): Promise<void> {
  if (!coordinator || workers.length === 0) return;
  for (const node of [coordinator, ...workers]) await query(node, 'create extension citus');
  const { hostname, port } = new URL(coordinator);
  await query(coordinator, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const node of workers) {
    const { hostname, port } = new URL(node);
    await query(coordinator, `select citus_add_node('${hostname}', ${port})`);
  }
}

/** One statement over a connection of its own. */
export async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
