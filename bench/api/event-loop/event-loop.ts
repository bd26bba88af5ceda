import { startEmbedded } from '../../../db/embedded.js';
import { quantile } from '../../../src/cli/eval/quantile.js';
import { startServer } from '../../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../../src/cli/shared/data-dir.js';
import { createHttpClient, type HttpClient } from '../../search/http-client.js';
import type { BenchmarkOptions, Comparison, Question } from '../question.js';
import { hostileLoads } from './hostile-loads.js';
import type { MonitorMessage } from './monitor.js';
import { type Loads, usualLoads } from './usual-loads.js';

const MONITOR = new URL('./monitor.js', import.meta.url).href;
/** The longest that other requests may wait for one piece of work, and for one that is made to last. */
const USUAL_MS = 20;
const HOSTILE_MS = 50;

export const eventLoop: Question = {
  name: 'event-loop',
  title:
    'The longest block of the event loop, in CPU time of its thread, while requests of all kinds are answered',

  async measure(options) {
    const { dataDir, remove } = await makeDataDir('bench');
    const database = await startEmbedded({ dataDir });
    const server = await startServer({
      env: { PATH: process.env.PATH, DATABASE_URL: database.url, DATA_DIR: dataDir },
      preload: [MONITOR],
    });
    const http = createHttpClient(server.address);
    let longestMs = 0;
    server.process.on('message', ({ blockedMs }: MonitorMessage) => {
      longestMs = Math.max(longestMs, blockedMs);
    });
    const takeLongest = () => {
      const longest = longestMs;
      longestMs = 0;
      return longest;
    };
    try {
      const measure = { http, takeLongest, ...options };
      const usual = await measureLoads(await usualLoads(http), USUAL_MS, measure);
      return [...usual, ...(await measureLoads(await hostileLoads(http), HOSTILE_MS, measure))];
    } finally {
      http.close();
      await server.stop();
      await database.stop();
      await remove();
    }
  },
};

interface Measuring extends BenchmarkOptions {
  http: HttpClient;
  /** The longest block since the last call. */
  takeLongest(): number;
}

async function measureLoads(
  loads: Loads,
  atMostMs: number,
  { http, takeLongest, rounds, log }: Measuring,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [what, load] of Object.entries(loads)) {
    log(what);
    await load(-1);
    const longest: number[] = [];
    for (let round = 0; round < rounds; round++) {
      takeLongest();
      await load(round);
      await http.get('/healthz');
      longest.push(takeLongest());
    }
    const ours = quantile(longest, 0.5);
    comparisons.push({
      what,
      rival: 'the limit',
      unit: 'ms of CPU',
      ours,
      theirs: atMostMs,
      ratio: ours / atMostMs,
      target: { atMost: 1 },
    });
  }
  return comparisons;
}
