import { readRetryAfter } from '../errors/retry-after.js';

/** How often, and how patiently, a request is tried again. */
export interface RetryPolicy {
  /** Attempts in all; 1 never tries again. */
  attempts?: number;
  /** Longest pause before the second attempt. It doubles with every further one. */
  pauseMs?: number;
  /** Longest pause of all. What `Retry-After` wants above it is not waited for. */
  maxPauseMs?: number;
}

type Fetch = typeof globalThis.fetch;
type Outcome = { response: Response } | { error: unknown };

const DEFAULTS: Required<RetryPolicy> = { attempts: 5, pauseMs: 400, maxPauseMs: 30_000 };
/** The server, or a proxy in front of it, cannot answer now. */
const TEMPORARY = new Set([429, 502, 503, 504]);
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const STILL_RUNNING = 'idempotency_key_in_use';

/**
 * A `fetch` that tries again what may be repeated: reads, and writes with an `Idempotency-Key`, always the same one. It does so
 * after a broken connection and after 429, 502, 503 and 504, with pauses that double and are chosen at random below that, or as
 * `Retry-After` says. JSON is read within the attempt, so that a connection which breaks in an answer counts.
 */
export function createRetryingFetch(fetch: Fetch, retry?: RetryPolicy): Fetch {
  return (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const attempt = async () => readJson(await fetch(request?.clone() ?? input, init));
    const signal = init?.signal ?? request?.signal;
    return isRepeatable(request, init) ? withRetries(attempt, { retry, signal }) : attempt();
  };
}

/** @throws what the last attempt threw, or the reason of the signal */
export async function withRetries(
  attempt: () => Promise<Response>,
  { retry, signal }: { retry?: RetryPolicy | undefined; signal?: AbortSignal | null | undefined },
): Promise<Response> {
  const policy = { ...DEFAULTS, ...retry };
  for (let made = 1; ; made += 1) {
    const outcome = await attempt().then(
      (response): Outcome => ({ response }),
      (error): Outcome => ({ error }),
    );
    signal?.throwIfAborted();
    const pause = made < policy.attempts ? await pauseAfter(outcome, made, policy) : undefined;
    if (pause !== undefined) await delay(pause, signal);
    else if ('error' in outcome) throw outcome.error;
    else return outcome.response;
  }
}

function isRepeatable(request: Request | undefined, init: RequestInit | undefined): boolean {
  if (init?.body instanceof ReadableStream) return false;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  return READS.has(method) || new Headers(init?.headers ?? request?.headers).has('Idempotency-Key');
}

/** How long to wait before the next attempt; undefined where the outcome is final. */
async function pauseAfter(
  outcome: Outcome,
  made: number,
  policy: Required<RetryPolicy>,
): Promise<number | undefined> {
  const backoff = Math.random() * Math.min(policy.maxPauseMs, policy.pauseMs * 2 ** (made - 1));
  // What fetch throws where there is no connection, or where it breaks.
  if ('error' in outcome) return outcome.error instanceof TypeError ? backoff : undefined;
  const { response } = outcome;
  if (!TEMPORARY.has(response.status) && !(await isStillRunning(response))) return undefined;
  const wanted = readRetryAfter(response.headers.get('Retry-After')) ?? 0;
  // Not all at the same time, who were told the same.
  return wanted > policy.maxPauseMs ? undefined : wanted + backoff;
}

/** Whether the first attempt, whose connection broke, is not finished yet. */
async function isStillRunning(response: Response): Promise<boolean> {
  return response.status === 409 && (await response.clone().text()).includes(STILL_RUNNING);
}

async function readJson(response: Response): Promise<Response> {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  if (!isJson) return response;
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

function delay(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
