import { setMaxListeners } from 'node:events';

/*
 * Signals that fire with others. `AbortSignal.any` is not used: with Node.js 20 and 22 each call leaves memory behind for
 * as long as one of its signals lives, and those of workers live as long as the process.
 */

export interface LinkedController {
  signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Ends the connection with the others, in which nothing is left. So does `abort`. */
  unlink(): void;
}

/** A controller whose signal also fires when one of the others does. To be aborted or unlinked in the end. */
export function linkedController(...others: (AbortSignal | undefined)[]): LinkedController {
  const controller = new AbortController();
  const { signal } = controller;
  const sources = others.filter((other) => other !== undefined);
  const follow = ({ target }: Event) => abort((target as AbortSignal).reason);
  const unlink = () => {
    for (const source of sources) source.removeEventListener('abort', follow);
  };
  const abort = (reason?: unknown) => {
    unlink();
    controller.abort(reason);
  };
  for (const source of sources) {
    if (source.aborted) {
      abort(source.reason);
      break;
    }
    // Hundreds of deliveries and documents may follow it.
    setMaxListeners(0, source);
    source.addEventListener('abort', follow);
  }
  return { signal, abort, unlink };
}

/**
 * Does `work` with a signal that fires after so many milliseconds, or when `signal` does.
 *
 * @param reason what the signal then gives; default: an error named `TimeoutError`
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  reason: () => Error = tookTooLong,
): Promise<T> {
  const linked = linkedController(signal);
  const timer = setTimeout(() => linked.abort(reason()), ms).unref();
  try {
    return await work(linked.signal);
  } finally {
    clearTimeout(timer);
    linked.unlink();
  }
}

const tookTooLong = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
