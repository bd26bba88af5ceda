import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../bench/support/random.js';
import type { Traffic } from './load/traffic.js';
import { childrenOf, killProcess } from './topology/children.js';
import type { Topology } from './topology/topology.js';

/** How often each is chosen. */
const VICTIMS = {
  api: 22,
  worker: 25,
  sandbox: 20,
  postgres: 8,
  backend: 8,
  node: 12,
  search: 14,
  emptiedSearch: 3,
  engine: 12,
};
export type Victim = keyof typeof VICTIMS;

/** Kills come in storms, between which there is a calm in which things make progress. */
const STORM = { least: 12, most: 25 };
const CALM_MS = { least: 20_000, most: 30_000 };
const PAUSE_MS = { least: 100, most: 3_500 };
/** Share of kills that follow at once. */
const DOUBLES = 0.1;
const POLL_MS = 100;
/**
 * Serves a client. PostgreSQL's startup process is spared: killed while it recovers from the death of a backend, it leaves
 * PostgreSQL 18 in recovery for good, until somebody starts it again.
 */
const BACKEND = /^postgres: lectern postgres 127\.0\.0\.1/;
/** While no request had success for so long, nobody is killed: on a slow machine there would be no load at all. */
const STANDSTILL_MS = 5_000;
const PATIENCE_MS = 180_000;

export interface Kills {
  counts: Record<Victim, number>;
  /** When they were, by `performance.now()`. */
  times: number[];
  done(): number;
  /**
   * Kills that many, at random moments.
   *
   * @param afterStorm what else is done; true where it has killed a worker of a cluster
   */
  run(wanted: number, afterStorm: () => Promise<boolean>): Promise<void>;
}

/** Ends programs of the deployment without any warning. */
export function createKills(topology: Topology, traffic: Traffic, random: Random): Kills {
  const { postgres, search, engine, apis, workers } = topology;
  const counts = Object.fromEntries(Object.keys(VICTIMS).map((victim) => [victim, 0])) as Record<
    Victim,
    number
  >;
  const times: number[] = [];

  /** Each says whether anything was hit: what does not run cannot be killed. */
  const kill: Record<Victim, () => boolean> = {
    api: () => random.oneOf(apis).process.kill(),
    worker: () => random.oneOf(workers).process.kill(),
    sandbox: () => killChild(random.oneOf(workers).process.pid),
    postgres: () => postgres.server.kill(),
    /** One connection's process: PostgreSQL ends all of them then, and recovers. */
    backend: () => killChild(postgres.server.pid, BACKEND),
    /** A worker of a cluster. */
    node: () => postgres.workers.length > 0 && random.oneOf(postgres.workers).kill(),
    search: () => search?.server.kill() ?? false,
    emptiedSearch: () => search?.killAndEmpty() ?? false,
    engine: () => engine.kill(),
  };

  function killChild(parent: number | undefined, title?: RegExp): boolean {
    const children = parent === undefined ? [] : childrenOf(parent, title);
    return children.length > 0 && killProcess(random.oneOf(children));
  }

  async function untilAnswered(): Promise<void> {
    while (traffic.sinceSuccessMs() > STANDSTILL_MS) {
      if (traffic.sinceSuccessMs() > PATIENCE_MS) {
        throw new Error(`No request had success for ${PATIENCE_MS / 1_000} s, though nobody was killed.`);
      }
      await delay(POLL_MS);
    }
  }

  async function storm(kills: number): Promise<void> {
    for (let left = kills; left > 0; ) {
      if (random.next() >= DOUBLES) await delay(random.between(PAUSE_MS.least, PAUSE_MS.most));
      await untilAnswered();
      const victim = random.weighted(VICTIMS);
      if (!kill[victim]()) continue;
      count(victim);
      left--;
    }
  }

  function count(victim: Victim): void {
    times.push(performance.now());
    counts[victim]++;
  }

  const done = () => times.length;
  return {
    counts,
    times,
    done,
    async run(wanted, afterStorm) {
      while (done() < wanted) {
        await storm(Math.min(wanted - done(), random.between(STORM.least, STORM.most)));
        if (await afterStorm()) count('node');
        if (done() < wanted) await delay(random.between(CALM_MS.least, CALM_MS.most));
      }
    },
  };
}
