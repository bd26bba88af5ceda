import type { Response } from 'express';
import { unavailable } from '../errors/errors.js';

/** Limits the bytes of request bodies that are in memory. */
export interface BodyMemory {
  /**
   * Counts bytes of a request's body until its response is finished, and the call that it was handed to.
   *
   * @throws DomainError `unavailable` where they are too many
   */
  hold(res: Response, bytes: number): void;
  /** Counts a body no longer that was refused: its client may take a while to read that. */
  drop(res: Response): void;
  /** Counts them until a call has ended, also where the client has left before. */
  during<T>(res: Response, call: Promise<T>): Promise<T>;
}

interface Held {
  client: string;
  bytes: number;
  /** The response and the call. */
  holders: number;
}

/**
 * Limits the bytes of the bodies of all requests together. A client may hold as many as are free (a dynamic threshold:
 * Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", 1998), so that one alone has at
 * most half of them, and others always find some.
 */
export function limitBodyMemory(maxBytes: number): BodyMemory {
  const requests = new WeakMap<Response, Held>();
  const clients = new Map<string, number>();
  let free = maxBytes;

  function add(held: Held, bytes: number): void {
    held.bytes += bytes;
    free -= bytes;
    const all = (clients.get(held.client) ?? 0) + bytes;
    if (all > 0) clients.set(held.client, all);
    else clients.delete(held.client);
  }

  function start(res: Response): Held {
    const held = { client: String(res.locals.client), bytes: 0, holders: 1 };
    requests.set(res, held);
    res.once('close', () => release(held));
    return held;
  }

  function release(held: Held): void {
    held.holders--;
    if (held.holders === 0) add(held, -held.bytes);
  }

  return {
    hold(res, bytes) {
      // Nothing would release them any more.
      if (res.closed) return;
      const held = requests.get(res) ?? start(res);
      if ((clients.get(held.client) ?? 0) + bytes > free - bytes)
        throw unavailable('The server holds too many large request bodies. Send fewer at a time.');
      add(held, bytes);
    },

    drop(res) {
      const held = requests.get(res);
      if (held && held.holders > 0) add(held, -held.bytes);
    },

    during(res, call) {
      const held = requests.get(res);
      if (!held || held.holders === 0) return call;
      held.holders++;
      return call.finally(() => release(held));
    },
  };
}
