import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../support/random.js';
import { runCommand } from './commands.js';
import type { Program, SearchServer } from './processes.js';

const FAULTS = { killSearch: 40, freezeSearch: 15, emptySearch: 10, killLectern: 20, rebuild: 15 };
export type Fault = keyof typeof FAULTS;

const LEAST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 10_000;
const LONGEST_FAULT_MS = 4_000;

/** Makes things go wrong at random moments until it is over; then all programs run. */
export async function makeFaults(
  { search, lectern, random }: { search: SearchServer; lectern: Program; random: Random },
  isOver: () => boolean,
): Promise<Record<Fault, number>> {
  const counts = Object.fromEntries(Object.keys(FAULTS).map((fault) => [fault, 0])) as Record<Fault, number>;
  const wait = () => delay(random.below(LONGEST_FAULT_MS));

  const faults: Record<Fault, () => Promise<void>> = {
    async killSearch() {
      await search.kill();
      await wait();
      await search.start();
    },
    async freezeSearch() {
      search.signal('SIGSTOP');
      await wait();
      search.signal('SIGCONT');
    },
    async emptySearch() {
      await search.kill();
      await search.empty();
      await wait();
      await search.start();
    },
    /** The index is rebuilt; as often as not that is killed. */
    async rebuild() {
      const ended = runCommand(['search', 'reindex'], lectern.env);
      if (random.next() < 0.5) await wait().then(ended.kill);
      await ended.result;
    },
    async killLectern() {
      await lectern.kill();
      await lectern.start();
    },
  };

  while (!isOver()) {
    const fault = random.weighted(FAULTS);
    await faults[fault]();
    counts[fault]++;
    const end = performance.now() + random.between(LEAST_PAUSE_MS, LONGEST_PAUSE_MS);
    while (!isOver() && performance.now() < end) await delay(100);
  }
  return counts;
}
