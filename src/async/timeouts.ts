import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** @throws an error named `TimeoutError` when the promise takes longer; the work itself is not cancelled */
export async function withTimeout<T>(
  ms: number,
  promise: Promise<T>,
  message = `No answer within ${ms} ms.`,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = Object.assign(new Error(message), { name: 'TimeoutError' });
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a stream with an idle timeout of `ms`. */
export async function* readWithIdleTimeout(ms: number, stream: Readable): AsyncGenerator<Uint8Array> {
  const parts = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withTimeout(ms, parts.next());
      if (done) return;
      yield value;
    }
  } finally {
    stream.destroy();
  }
}

/** Writes a source to a stream with an idle timeout of `ms`; the source itself has none. */
export async function writeWithIdleTimeout(
  ms: number,
  source: AsyncIterable<Uint8Array>,
  target: Writable,
): Promise<void> {
  const done = finished(target);
  done.catch(() => {});
  try {
    for await (const part of source) {
      if (!target.write(part)) await withTimeout(ms, Promise.race([once(target, 'drain'), done]));
    }
    target.end();
    await withTimeout(ms, done);
  } catch (error) {
    target.destroy();
    throw error;
  }
}

/** Rejects with the reason of `signal` when it fires. */
export async function abortable<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  const done = new AbortController();
  const aborted = once(signal, 'abort', { signal: done.signal }).then(() => Promise.reject(signal.reason));
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    done.abort();
  }
}
