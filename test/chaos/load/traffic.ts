import type { Random } from '../../../bench/support/random.js';

/** Longer than any statement may run. */
const TIMEOUT_MS = 60_000;
const MOST_OF_A_BODY = 500;

export interface Sent {
  apiKey: string | null;
  /** Undefined where there was no answer. */
  status: number | undefined;
  retryAfter: string | null;
  /** The request, and the body of an error, for whoever looks for its cause. */
  what: string;
}

export interface Traffic {
  counts: { requests: number; answered: number; unavailable: number; noConnection: number };
  /** When requests were answered with success, by `performance.now()`. */
  longestGapMs(since: number, until: number): { ms: number; endedAt: number };
  sinceSuccessMs(): number;
  /** The returned function ends the record, and gives the requests that have both begun and ended in it. */
  record(): () => Sent[];
  /** Sends a request to any of the API processes, as a load balancer without health checks would. */
  fetch: typeof globalThis.fetch;
}

/** What the clients send, and what becomes of it. */
export function createTraffic(addresses: string[], random: Random): Traffic {
  const counts = { requests: 0, answered: 0, unavailable: 0, noConnection: 0 };
  const successes: number[] = [];
  let recorded: Sent[] | undefined;

  return {
    counts,
    record() {
      const sent: Sent[] = [];
      recorded = sent;
      return () => {
        recorded = undefined;
        return [...sent];
      };
    },
    longestGapMs(since, until) {
      let [before, ms, endedAt] = [since, 0, since];
      for (const time of [...successes.filter((one) => one > since && one < until), until]) {
        if (time - before > ms) [ms, endedAt] = [time - before, time];
        before = time;
      }
      return { ms, endedAt };
    },
    sinceSuccessMs: () => performance.now() - (successes.at(-1) ?? 0),
    async fetch(input, init) {
      const { pathname, search } = new URL(String(input));
      const url = new URL(pathname + search, random.oneOf(addresses));
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
      counts.requests++;
      const record = recorded;
      const request = `${init?.method ?? 'GET'} ${pathname}`;
      const apiKey = new Headers(init?.headers).get('X-Api-Key');
      try {
        const response = await globalThis.fetch(url, { ...init, signal });
        // Read here: an answer that breaks off is none.
        const body = await response.arrayBuffer();
        if (response.status === 503) counts.unavailable++;
        else counts.answered++;
        if (response.ok) successes.push(performance.now());
        const { status, statusText, headers } = response;
        const what = response.ok
          ? request
          : `${request}: ${Buffer.from(body).toString().slice(0, MOST_OF_A_BODY)}`;
        record?.push({ apiKey, status, retryAfter: headers.get('Retry-After'), what });
        return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
      } catch (error) {
        counts.noConnection++;
        record?.push({ apiKey, status: undefined, retryAfter: null, what: request });
        // As a broken connection: it is tried again.
        throw error instanceof TypeError ? error : new TypeError('No answer in time.', { cause: error });
      }
    },
  };
}
