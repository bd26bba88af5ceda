import { createTRPCClient, httpLink, type Operation, splitLink, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '../routers/app-router.js';
import { type Bulk, createBulk } from './bulk.js';
import { createFiles, type Files } from './files.js';
import { callerHeaders, newIdempotencyKey } from './headers.js';
import { refuseRedirects } from './refuse-redirects.js';
import { createRetryingFetch, type RetryPolicy } from './retrying-fetch.js';
import { subscriptionLink } from './subscription-link.js';
import { createSubscriptions, type Subscriptions } from './subscriptions.js';

export interface LecternOptions {
  /** Address of the server, such as `http://127.0.0.1:8080`. */
  url: string;
  /** Not needed where the server runs without keys. */
  apiKey?: string;
  /** The user on whose behalf is called, for `X-User-Id`. */
  userId?: string;
  /** In place of the global one, for a proxy, say. */
  fetch?: typeof globalThis.fetch;
  /** False never tries again. */
  retry?: RetryPolicy | false;
}

export interface Lectern extends Files, Subscriptions, Bulk {
  /**
   * All procedures. Reads are tried again, and writes with the same `Idempotency-Key`: each has one of its own, or that in
   * `context`: `trpc.documents.create.mutate(input, { context: { idempotencyKey } })`.
   */
  trpc: TRPCClient<AppRouter>;
  /** For the REST API of the same server: with the API key, and the same retries. Takes paths as well as addresses. */
  fetch: typeof globalThis.fetch;
}

/** What creates a secret ignores an `Idempotency-Key`, so that a second call would create a second one; uploads are large. */
const UNREPEATABLE = new Set(['apiKeys.create', 'apiKeys.rotate', 'session.create', 'files.upload']);
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Characters of an input in an address. */
const MAX_GET_INPUT = 4_000;

/** A client of the server at `url`, for Node.js 20 and browsers. */
export function createLectern({ url, retry = {}, ...options }: LecternOptions): Lectern {
  const base = new URL(url.endsWith('/') ? url : `${url}/`);
  const trpcUrl = new URL('trpc', base).href;
  const caller = callerHeaders(options);
  const plainFetch = refuseRedirects(options.fetch ?? ((input, init) => globalThis.fetch(input, init)));
  const policy = retry === false ? { attempts: 1 } : retry;
  const retryingFetch = createRetryingFetch(plainFetch, policy);

  const headers = ({ op }: { op: Operation }): Record<string, string> => {
    // A read by POST has a key, too, which says here that it may be repeated; the server ignores it.
    if (op.type === 'query' ? !isTooLongForGet(op) : UNREPEATABLE.has(op.path)) return caller;
    const { idempotencyKey = newIdempotencyKey() } = op.context as { idempotencyKey?: string };
    return { ...caller, 'Idempotency-Key': idempotencyKey };
  };
  const calls = { url: trpcUrl, headers, fetch: retryingFetch as never };
  const trpc = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === 'subscription',
        true: subscriptionLink({ url: trpcUrl, fetch: retryingFetch, headers: caller }),
        // One call each: an Idempotency-Key is for one, and none waits for another.
        false: splitLink({
          condition: isTooLongForGet,
          true: httpLink({ ...calls, methodOverride: 'POST' }),
          false: httpLink(calls),
        }),
      }),
    ],
  });

  const fetchRest: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, base), init);
    if (new URL(request.url).origin !== base.origin) {
      throw new TypeError(`This fetch sends the API key to ${base.origin} alone.`);
    }
    for (const [name, value] of Object.entries(caller)) request.headers.set(name, value);
    if (!READS.has(request.method) && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', newIdempotencyKey());
    }
    return retryingFetch(request);
  };

  return {
    trpc,
    fetch: fetchRest,
    ...createFiles(trpc, { url: trpcUrl, fetch: plainFetch, headers: caller, retry: policy }),
    ...createSubscriptions(trpc),
    ...createBulk(trpc),
  };
}

const isTooLongForGet = ({ type, input }: Pick<Operation, 'type' | 'input'>): boolean =>
  type === 'query' && encodeURIComponent(JSON.stringify(input) ?? '').length > MAX_GET_INPUT;
