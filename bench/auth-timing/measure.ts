import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { InvalidKeyGenerator } from './invalid-keys.js';

const ROUTE = '/admin/api/v2/conversations?page_size=1';
const WARM_UP_ROUNDS = 300;

/**
 * Tries a key of each kind in every round, one after another over one connection. The order changes from round to
 * round, so that nothing that happens beside hits one kind more than another.
 *
 * @returns the milliseconds of each kind
 */
export async function measure(
  address: string,
  attempts: Map<string, InvalidKeyGenerator>,
  rounds: number,
): Promise<Map<string, number[]>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times = new Map([...attempts.keys()].map((kind) => [kind, [] as number[]]));
  const prepared = Array.from({ length: WARM_UP_ROUNDS + rounds }, () =>
    shuffle([...attempts].map(([kind, attempt]) => ({ kind, key: attempt() }))),
  );
  for (const [round, tries] of prepared.entries()) {
    for (const { kind, key } of tries) {
      const start = performance.now();
      const request = http.get(address + ROUTE, { agent, headers: { 'x-api-key': key } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      const ms = performance.now() - start;
      const { statusCode } = response;
      if (statusCode !== 401) throw new Error(`A key with ${kind} was answered ${statusCode}.`);
      if (round >= WARM_UP_ROUNDS) times.get(kind)?.push(ms);
    }
  }
  agent.destroy();
  return times;
}

/** How often one of `times` is longer than one of `others`: a half where nobody can tell them apart. */
export function shareLonger(times: number[], others: number[]): number {
  const sorted = others.toSorted((a, b) => a - b);
  const below = times.reduce((sum, time) => sum + countBelow(sorted, time), 0);
  return below / (times.length * others.length);
}

function countBelow(sorted: number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shuffle<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
  return items;
}
