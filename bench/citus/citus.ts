/** Compares the service on one PostgreSQL with the same on a cluster of a coordinator and two workers. */
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrateToLatest } from '../../db/migrate.js';
import { quantile } from '../../src/cli/eval/quantile.js';
import { prepareCluster, prepareSingle } from '../../test/chaos/topology/cluster.js';
import type { Postgres } from '../../test/chaos/topology/postgres.js';
import { type MeasuredServer, startService } from '../api/support/measured-server.js';
import { createHttpClient, type HttpClient } from '../search/http-client.js';
import { cpuOf } from '../support/processes.js';
import { readOptions } from '../support/read-options.js';
import { fill, TENANTS } from './fill.js';
import { KINDS, type Kind } from './kinds.js';

const USAGE = `Usage: npm run bench -- citus --bin FOLDER [--requests N] [--rounds N] [--json]

Starts one PostgreSQL, and a coordinator with two workers, and the service on each; sends the same requests to both,
block by block in turn, and prints milliseconds, CPU time of all processes (service and databases), and their ratios.

  --bin FOLDER  of a PostgreSQL with Citus, such as /usr/lib/postgresql/17/bin; needed
  --requests N  of each kind in a round; default 100
  --rounds N    default 9
  --json        print JSON

Needs Linux. Status 0 when all was measured, 1 after a failure, 2 when called wrongly.`;

const { bin, requests, rounds, json } = readOptions(USAGE, { bin: '', requests: 100, rounds: 9 }, (given) => {
  if (!given.bin) throw new Error('--bin is needed.');
});

interface Side {
  name: string;
  postgres: Postgres;
  service: MeasuredServer;
  http: HttpClient;
}

interface Measured {
  ms: number[];
  /** Microseconds a request, by round. */
  cpu: number[];
}

const log = (line: string) => process.stderr.write(`${line}\n`);
const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-bench-'));
chmodSync(folder, 0o755); // PostgreSQL may run as another account.
/** Run in reverse order at the end. */
const cleanups: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const sides = [await open('single', prepareSingle), await open('cluster', prepareCluster)];
  for (const side of sides) {
    log(`filling ${side.name}`);
    await fill(side.http, side.service.address, side.postgres.url);
  }
  const results = [];
  for (const kind of KINDS) {
    log(kind.what);
    results.push(compare(kind, await measure(kind, sides)));
  }
  const connections = await Promise.all(sides.map(countConnections));
  if (json) process.stdout.write(`${JSON.stringify({ results, connections }, null, 2)}\n`);
  else process.stdout.write(describe(results, connections));
} catch (error) {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}

async function open(name: string, prepare: typeof prepareCluster): Promise<Side> {
  const place = path.join(folder, name);
  const postgres = await prepare({ folder: place, logs: folder, pauseMs: () => 0, bin });
  const servers = [postgres.server, ...postgres.workers];
  for (const server of servers) {
    server.start();
    cleanups.push(() => server.stop('SIGINT'));
  }
  await postgres.server.untilHealthy();
  await postgres.prepare?.();
  await migrateToLatest(postgres.url);
  const service = await startService(postgres.url, path.join(place, 'data'));
  cleanups.push(service.stop);
  return { name, postgres, service, http: createHttpClient(service.address) };
}

/** Blocks of the same requests, to one side after the other; who is first changes from round to round. */
async function measure(kind: Kind, sides: Side[]): Promise<Measured[]> {
  const measured = sides.map((): Measured => ({ ms: [], cpu: [] }));
  const count = Math.max(1, Math.round(requests * (kind.share ?? 1)));
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const place of order) {
      const side = sides[place] as Side;
      const before = await cpu(side);
      const ms: number[] = [];
      for (let n = 0; n < count; n++) {
        const begin = performance.now();
        await kind.send(side, (round + 1) * count + n);
        ms.push(performance.now() - begin);
      }
      await kind.settle?.(side);
      if (round < 0) continue;
      measured[place]?.ms.push(...ms);
      measured[place]?.cpu.push(((await cpu(side)) - before) / count);
    }
  }
  return measured;
}

async function cpu({ service, postgres }: Side): Promise<number> {
  const servers = [postgres.server, ...postgres.workers];
  return servers.reduce((sum, { pid }) => sum + cpuOf(pid), await service.cpu());
}

function compare({ what, atMost }: Kind, [single, cluster]: Measured[]) {
  const of = (pick: (one: Measured) => number) => {
    const [ours, theirs] = [pick(single as Measured), pick(cluster as Measured)];
    return { single: ours, cluster: theirs, ratio: theirs / ours };
  };
  return {
    what,
    atMost,
    p50: of(({ ms }) => quantile(ms, 0.5)),
    p95: of(({ ms }) => quantile(ms, 0.95)),
    cpu: of(({ cpu }) => quantile(cpu, 0.5)),
  };
}

async function countConnections({ name, postgres }: Side) {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::integer as count from pg_stat_activity where backend_type = 'client backend'`,
  );
  const workers =
    postgres.workers.length === 0
      ? []
      : (
          await client.query(
            `select result from run_command_on_workers($$select count(*) from pg_stat_activity where backend_type = 'client backend'$$)`,
          )
        ).rows.map(({ result }) => Number(result));
  await client.end();
  return { name, coordinator: rows[0].count as number, workers };
}

function describe(
  results: ReturnType<typeof compare>[],
  connections: Awaited<ReturnType<typeof countConnections>>[],
): string {
  const lines = results.map(({ what, atMost, p50, p95, cpu }) => {
    const cells = [p50, p95].flatMap((one) => [
      one.single.toFixed(1),
      one.cluster.toFixed(1),
      one.ratio.toFixed(2),
    ]);
    const micro = [cpu.single.toFixed(0), cpu.cluster.toFixed(0), cpu.ratio.toFixed(2)];
    const goal = atMost === undefined ? ['', ''] : [`<= ${atMost}`, cpu.ratio <= atMost ? 'met' : 'missed'];
    return `| ${[what, ...cells, ...micro, ...goal].join(' | ')} |\n`;
  });
  const head = [
    'what',
    'p50 ms, one',
    'cluster',
    'ratio',
    'p95 ms, one',
    'cluster',
    'ratio',
    'CPU µs, one',
    'cluster',
    'ratio',
    'goal of CPU',
    '',
  ];
  const of = connections.map(
    ({ name, coordinator, workers }) =>
      `${name} ${coordinator}${workers.length > 0 ? `, workers ${workers.join(' and ')}` : ''}`,
  );
  return `${TENANTS.length} tenants, ${rounds} rounds of ${requests} requests.\n\n| ${head.join(' | ')} |\n| ${head.map(() => '---').join(' | ')} |\n${lines.join('')}\nConnections: ${of.join('; ')}.\n`;
}
