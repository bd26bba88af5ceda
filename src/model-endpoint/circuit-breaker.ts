import type { Logger } from 'pino';
import { withDeadline } from '../async/linked-signals.js';
import { pollUntil } from '../async/poll-until.js';
import { EndpointError } from './endpoint-error.js';
import { logSaid } from './log-said.js';
import { toOperatorMessage } from './operator-message.js';

/** While the endpoint does not answer it is tried so often, and waited for so long. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const PROBE_TIMEOUT_MS = 30_000;

export interface CircuitBreaker {
  /** Whether the endpoint is not asked, since it failed and has not answered again. */
  isOpen(): boolean;
  /** Why the endpoint gave nothing last time, for operators. */
  lastFailure(): string | undefined;
  /**
   * Sends a request.
   *
   * @param probe a small request, repeated after a failure until it is answered
   * @returns undefined where the endpoint does not answer in time, refuses the request or is not asked
   */
  call<T>(
    request: (signal: AbortSignal) => Promise<T>,
    probe: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<T | undefined>;
}

export interface CircuitBreakerOptions {
  /** Longest time of a request. */
  timeoutMs: number;
  /** What is logged when the endpoint fails, and when it answers again. */
  messages: { opened: string; closed: string };
  stopping: AbortSignal;
  log: Logger;
}

/** Requests that searches wait for: a failing endpoint costs one search its time, not all that follow. */
export function createCircuitBreaker({
  timeoutMs,
  messages,
  stopping,
  log,
}: CircuitBreakerOptions): CircuitBreaker {
  let isOpen = false;
  let wasRefused = false;
  let failure: string | undefined;
  return { isOpen: () => isOpen, lastFailure: () => failure, call };

  async function call<T>(
    request: (signal: AbortSignal) => Promise<T>,
    probe: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<T | undefined> {
    if (isOpen) return undefined;
    try {
      return await request(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      logSaid(log, error);
      failure = toOperatorMessage(error);
      if (error.isOfRequest) logRefusal(failure);
      else open(failure, error.details.retryAfterMs, probe);
      return undefined;
    }
  }

  /** It concerns this request alone, of which there may be many. */
  function logRefusal(reason: string): void {
    log[wasRefused ? 'debug' : 'warn']({ reason }, 'a search goes on without what an endpoint refused');
    wasRefused = true;
  }

  function open(
    reason: string,
    retryAfterMs: number | undefined,
    probe: (signal: AbortSignal) => Promise<unknown>,
  ): void {
    if (isOpen) return;
    isOpen = true;
    log.warn({ reason }, messages.opened);
    void closeWhenUp(probe, retryAfterMs);
  }

  async function closeWhenUp(
    probe: (signal: AbortSignal) => Promise<unknown>,
    retryAfterMs = 0,
  ): Promise<void> {
    const isUp = () =>
      withDeadline(PROBE_TIMEOUT_MS, stopping, probe).then(
        () => true,
        () => false,
      );
    const firstPauseMs = Math.max(FIRST_PAUSE_MS, Math.min(retryAfterMs, LONGEST_PAUSE_MS));
    if (!(await pollUntil(isUp, { firstPauseMs, longestPauseMs: LONGEST_PAUSE_MS, stopping }))) return;
    isOpen = false;
    log.info(messages.closed);
  }
}
