import { createRandom } from '../../bench/support/random.js';
import type { Lectern } from '../../src/client/index.js';
import { createKills } from './kills.js';
import type { Calls } from './load/calls.js';
import { createClient } from './load/client.js';
import { checkMessages } from './load/messages.js';
import { createRestCalls } from './load/rest-calls.js';
import { createSearches, type Searches } from './load/searches.js';
import { createTraffic } from './load/traffic.js';
import { createTypedCalls, createTypedClient } from './load/typed-calls.js';
import { createModel } from './model/model.js';
import { createNodeOutages } from './node-outages.js';
import type { ChaosOptions } from './options.js';
import { startConsumer } from './peers/consumer.js';
import { startPageServer } from './peers/page-server.js';
import { prepareTenants, TENANTS } from './setup.js';
import { prepareLectern } from './topology/lectern.js';
import type { Topology } from './topology/topology.js';
import { openDatabase } from './verify/database.js';
import { checkRecords } from './verify/documents.js';
import { drain } from './verify/drain.js';
import { checkErasedUsers } from './verify/erased-users.js';
import { checkEvents } from './verify/events.js';
import { checkFiles, sweepFiles } from './verify/files.js';
import { compareIndex, countDifferences } from './verify/index-comparison.js';
import { checkIntegrity } from './verify/integrity.js';

const LOG_INTERVAL_MS = 10_000;
const MOST_LOOKED_FOR = 1_500;
/** Of what went wrong. */
const SHOWN = 40;

export type ChaosResult = Awaited<ReturnType<typeof runChaos>>;

/** The whole test: load and kills, then calm, and then what is there is compared with what the clients know. */
export async function runChaos(options: ChaosOptions, topology: Topology, log: (line: string) => void) {
  const began = performance.now();
  // Streams of their own, so that what one chooses does not depend on when another does.
  const stream = (number: number) => createRandom(options.seed * 1_000 + number);
  const model = createModel();
  const traffic = createTraffic(
    topology.apis.map(({ address }) => address),
    stream(1),
  );
  const [consumer, pages] = [await startConsumer(stream(2)), await startPageServer(stream(3))];
  const sql = openDatabase(topology.postgres.url);
  try {
    await topology.start();
    log('everything runs; reading the fixtures in calm');
    const setup = await prepareTenants(topology.env, { model, traffic, consumer, random: stream(4) });
    const searches = createSearches({ model, traffic, keys: setup.keys, random: stream(5) });
    const callsOf = new Map<string, Calls>();
    const lecternOf = new Map<string, Lectern>();
    const clients = Array.from({ length: options.clients }, (_, number) => {
      const tenantId = TENANTS[number % TENANTS.length] as string;
      const [key, random] = [setup.keys.get(tenantId) ?? '', stream(100 + number)];
      const lectern = createTypedClient(traffic, key);
      const isTyped = Math.floor(number / TENANTS.length) % 2 === 1;
      const calls = isTyped ? createTypedCalls(lectern) : createRestCalls(traffic, key, random);
      callsOf.set(tenantId, calls);
      lecternOf.set(tenantId, lectern);
      const name = `client${number + 1}`;
      return createClient({
        name,
        number: number + 1,
        tenantId,
        calls,
        lectern,
        random,
        model,
        fixtures: setup.fixtures,
        pages,
        consumer,
        traffic,
      });
    });

    let isOver = false;
    const loadBegan = performance.now();
    const kills = createKills(topology, traffic, stream(6));
    const outages = createNodeOutages({
      topology,
      traffic,
      sql,
      keys: setup.keys,
      faults: model.faults,
      random: stream(8),
    });
    const telling = setInterval(() => {
      const { answered, unavailable, noConnection } = traffic.counts;
      log(
        `${kills.done()} kills; ${answered} requests answered, ${unavailable} by 503, ${noConnection} without an answer; ${model.documents.size} documents; ${model.faults.length} wrong`,
      );
    }, LOG_INTERVAL_MS);
    const load = [...clients, searches].map((one) => one.run(() => isOver));
    await kills.run(options.kills, outages.run).finally(() => {
      isOver = true;
    });
    const loadEnded = performance.now();
    await Promise.all(load).finally(() => clearInterval(telling));
    log(`${kills.done()} kills are over; waiting until nothing is left to be done`);
    await topology.untilHealthy();

    const drained = await drain(sql, log);
    for (const [what, count] of Object.entries(drained.left))
      model.faults.push(`left undone: ${what} ${count}`);
    log('comparing what is there with what was acknowledged');
    const documents = await checkRecords({ model, callsOf, traffic, sql });
    await checkMessages(model, lecternOf);
    await sweepFiles(topology);
    const files = await checkFiles(topology, sql, model);
    model.faults.push(...(await checkIntegrity(sql)), ...(await checkErasedUsers(sql, model)));
    const events = await checkEvents(sql, model, consumer);
    const checked = [{ engine: options.engine, ...(await searches.check(MOST_LOOKED_FOR)) }];
    const index = topology.search ? await compareIndex(topology.env) : undefined;
    if (index && countDifferences(index) > 0)
      model.faults.push(`the index differs: ${JSON.stringify(index)}`);
    if (topology.search) checked.push(await lookInPostgres(topology, model, setup.keys, stream(7)));
    for (const { ends } of topology.all) model.faults.push(...ends.late);

    return {
      isWell: model.faults.length === 0,
      seed: options.seed,
      clients: options.clients,
      engine: options.meilisearch ? 'a real search server' : options.engine,
      seconds: Math.round((performance.now() - began) / 1_000),
      killed: kills.done(),
      kills: kills.counts,
      requests: traffic.counts,
      outages: topology.postgres.workers.length > 0 ? outages.counts : undefined,
      longestGapMs: Math.round(traffic.longestGapMs(loadBegan, loadEnded).ms),
      writes: sum(clients.map(({ writes }) => writes)),
      operations: sum(clients.map(({ counts }) => counts)),
      searches: searches.counts,
      erasedUsers: model.erasedUsers.length,
      documents,
      files,
      events,
      index,
      checked,
      drained,
      earlyEnds: topology.all.reduce((count, { ends }) => count + ends.early, 0),
      faults: { count: model.faults.length, first: model.faults.slice(0, SHOWN) },
    };
  } finally {
    await sql.close();
    consumer.close();
    pages.close();
  }
}

/** The other engine, which is kept in step all the time, by a process that knows no search server. */
async function lookInPostgres(
  topology: Topology,
  model: ReturnType<typeof createModel>,
  keys: Map<string, string>,
  random: ReturnType<typeof createRandom>,
): Promise<{ engine: 'postgres' } & Awaited<ReturnType<Searches['check']>>> {
  const { MEILI_URL, MEILI_ADMIN_KEY, ...env } = topology.env;
  const folder = topology.dataFolder;
  const api = await prepareLectern({
    name: 'api without search server',
    role: 'api',
    env,
    folder,
    logs: folder,
    pauseMs: () => 1_000,
  });
  api.process.start();
  await api.process.untilHealthy();
  const traffic = createTraffic([api.address], random);
  const found = await createSearches({ model, traffic, keys, random }).check(MOST_LOOKED_FOR);
  await api.process.stop('SIGTERM');
  return { engine: 'postgres', ...found };
}

function sum<T extends Record<string, number>>(all: T[]): T {
  const totals: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
  }
  return totals as T;
}
