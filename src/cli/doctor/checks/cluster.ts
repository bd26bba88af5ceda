import { sql } from 'kysely';
import {
  type Cluster,
  findObstacle,
  findUnplaced,
  isCluster,
  type Query,
  readCluster,
} from '../../../../db/cluster/cluster.js';
import { countOf } from '../../shared/format.js';
import {
  type Check,
  type ExaminedDatabase,
  type Finding,
  ok,
  problem,
  splitAdvice,
  warning,
} from '../check.js';

/** The nodes of a cluster of PostgreSQL servers; nothing of a single server. */
export const checkCluster: Check = {
  name: 'cluster',
  run: async ({ database }) => (database ? checkDatabase(database) : []),
};

async function checkDatabase(database: ExaminedDatabase): Promise<Finding | Finding[]> {
  const query: Query = (text) => sql.raw<never>(text).execute(database.db);
  if (!(await isCluster(query))) return [];
  const cluster = await readCluster(query);
  const obstacle = findObstacle(cluster);
  if (obstacle) return problem(...splitAdvice(obstacle, ''));
  const nodes = checkNodes(cluster);
  // The rest asks all of them.
  if (cluster.unreachable.length > 0) return nodes;
  const findings = [
    ...nodes,
    ...(database.isCurrent ? await checkPlacement(database, query) : []),
    ...(await checkSettings(query)),
  ];
  if (findings.length > 0) return findings;
  return ok(`Citus ${cluster.version} with ${countOf(cluster.workers.length, 'worker')}.`);
}

function checkNodes({ workers, unreachable }: Cluster): Finding[] {
  if (workers.length === 0)
    return [
      warning(
        'The cluster has no workers: everything is on its coordinator.',
        `Have an administrator run on it: select citus_add_node('HOST', PORT);`,
      ),
    ];
  return unreachable.map((node) =>
    problem(`Other nodes of the cluster cannot reach ${node}.`, 'Check that it runs, and its pg_hba.conf.'),
  );
}

async function checkPlacement({ db }: ExaminedDatabase, query: Query): Promise<Finding[]> {
  const unplaced = await findUnplaced(query);
  if (unplaced.length > 0) {
    const names = unplaced.map(({ name }) => name).join(', ');
    return [problem(`These tables are not distributed yet: ${names}.`, 'Run lectern migrate.')];
  }
  const findings: Finding[] = [];
  const refusal = await askAsTenant(db);
  if (refusal) {
    findings.push(
      problem(
        `The role of tenants cannot connect to the workers (${refusal}).`,
        'Let it log in between the nodes: in pg_hba.conf of the workers, or with a password in .pgpass of the coordinator.',
      ),
    );
  }
  const { rows: moves } = await query('select from get_rebalance_table_shards_plan()');
  if (moves.length > 0) {
    findings.push(
      warning(
        `Shards are not spread evenly: ${countOf(moves.length, 'move')} would do it.`,
        'Have an administrator run: select citus_rebalance_start();',
      ),
    );
  }
  return findings;
}

/** A transaction of a tenant that reads a shard. @returns why it fails */
const askAsTenant = (db: ExaminedDatabase['db']): Promise<string | undefined> =>
  db
    .transaction()
    .execute(async (tx) => {
      await sql`call become_tenant('')`.execute(tx);
      await sql`select from documents where tenant_id = '' limit 1`.execute(tx);
    })
    .then(
      () => undefined,
      ({ message }: Error) => message,
    );

/** Of all nodes, what transactions on several of them and moving shards need. */
async function checkSettings(query: Query): Promise<Finding[]> {
  const { rows } = await query<{ node: string; prepared: string; level: string }>(`
    select nodename || ':' || nodeport as node, prepared.result as prepared, level.result as level
    from run_command_on_all_nodes('show max_prepared_transactions') as prepared
    join run_command_on_all_nodes('show wal_level') as level using (nodeid)
    join pg_dist_node using (nodeid)`);
  return rows.flatMap(({ node, prepared, level }) => [
    ...(prepared === '0'
      ? [
          problem(
            `${node} has max_prepared_transactions = 0: writes to several nodes fail.`,
            'Set it to max_connections or more, and restart that server.',
          ),
        ]
      : []),
    ...(level === 'logical'
      ? []
      : [
          warning(
            `${node} has wal_level = ${level}: moving shards blocks their tenants' writes.`,
            'Set wal_level = logical, and restart that server.',
          ),
        ]),
  ]);
}
