import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../bench/support/random.js';
import type { Sent, Traffic } from './load/traffic.js';
import type { Topology } from './topology/topology.js';
import type { Sql } from './verify/database.js';

/** How long a worker of a cluster is away, and for how much of this answers are compared. */
const AWAY_MS = 9_000;
const COMPARED_MS = 8_000;
/** Longer than Citus waits before it ends transactions that a crash has left prepared. */
const PATIENCE_MS = 180_000;
const POLL_MS = 500;

type ByStatus = Record<string, number>;

export interface NodeOutages {
  /** Answers by status while a worker was away, to tenants whose rows are on it, and to others. */
  counts: { outages: number; ofItsTenants: ByStatus; ofOthers: ByStatus };
  /** One worker of a cluster is away for some seconds, and nothing else. False where there is no cluster. */
  run(): Promise<boolean>;
}

interface Context {
  topology: Topology;
  traffic: Traffic;
  sql: Sql;
  /** By tenant. */
  keys: Map<string, string>;
  faults: string[];
  random: Random;
}

/** Whether tenants whose rows are on a worker that is away get 503 with `Retry-After`, and nobody else does. */
export function createNodeOutages({ topology, traffic, sql, keys, faults, random }: Context): NodeOutages {
  const counts: NodeOutages['counts'] = { outages: 0, ofItsTenants: {}, ofOthers: {} };
  const { workers } = topology.postgres;

  async function run(): Promise<boolean> {
    if (workers.length === 0) return false;
    await topology.untilHealthy();
    await untilNothingIsPrepared();
    await untilSearchable();
    const worker = random.oneOf(workers);
    const tenants = await tenantsOn(Number(new URL(worker.url).port));
    if (tenants.length === 0 || tenants.length === keys.size)
      throw new Error(`${worker.name} has the rows of ${tenants.length} of ${keys.size} tenants.`);
    if (!worker.kill(AWAY_MS)) throw new Error(`${worker.name} does not run.`);
    const stop = traffic.record();
    await delay(COMPARED_MS);
    const sent = stop();
    const sentBy = (isIts: boolean) => {
      const senders = [...keys].filter(([id]) => tenants.includes(id) === isIts).map(([, key]) => key);
      return sent.filter(({ apiKey }) => apiKey !== null && senders.includes(apiKey));
    };
    check(worker.name, sentBy(true), sentBy(false));
    await worker.untilHealthy();
    return true;
  }

  function check(name: string, ofItsTenants: Sent[], ofOthers: Sent[]): void {
    const fault = (what: string) => void faults.push(`while ${name} was away, ${what}`);
    counts.outages++;
    addTo(counts.ofItsTenants, ofItsTenants);
    addTo(counts.ofOthers, ofOthers);
    if (!ofItsTenants.some(({ status }) => status === 503)) fault('none of its tenants was answered 503');
    for (const { status, retryAfter, what } of ofItsTenants) {
      if (status === undefined || status === 500) fault(`one of its tenants was answered ${status}, ${what}`);
      if (status === 503 && retryAfter === null) fault(`an answer 503 had no Retry-After, ${what}`);
    }
    if (!ofOthers.some(({ status }) => status === 200)) fault('no other tenant was answered 200');
    for (const { status, what } of ofOthers) {
      if (status === undefined || status >= 500) fault(`another tenant was answered ${status}, ${what}`);
    }
  }

  async function tenantsOn(port: number): Promise<string[]> {
    const rows = await sql.select<{ tenant: string }>(
      `select tenant from unnest($1::text[]) as tenant
       join citus_shards on shardid = get_shard_id_for_distribution_column('documents', tenant)
       where nodeport = $2`,
      [[...keys.keys()], port],
    );
    return rows.map(({ tenant }) => tenant);
  }

  /** What a kill has left prepared on a worker locks rows of its tenants until Citus ends it. */
  async function untilNothingIsPrepared(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const rows = await sql
        .select<{ count: number }>(
          `select sum(result::integer)::integer as count from run_command_on_workers(
             $$select count(*) from pg_prepared_xacts where prepared < now() - interval '5 s'$$)`,
        )
        .catch(() => []);
      if (rows[0]?.count === 0) return;
      if (performance.now() > deadline) throw new Error('Transactions stay prepared on a worker.');
      await delay(POLL_MS);
    }
  }

  /** A search server that lost its index gets it back from all nodes. */
  async function untilSearchable(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (const { address } of topology.apis) {
      while ((await readiness(address)) !== 'ok') {
        if (performance.now() > deadline) throw new Error('The search index is not filled again.');
        await delay(POLL_MS);
      }
    }
  }

  return { counts, run };
}

const readiness = (address: string): Promise<string | undefined> =>
  fetch(`${address}/readyz`)
    .then(async (response) => ((await response.json()) as { search?: string }).search)
    .catch(() => undefined);

function addTo(counts: ByStatus, sent: Sent[]): void {
  for (const { status } of sent) counts[status ?? 'none'] = (counts[status ?? 'none'] ?? 0) + 1;
}
