import type { Socket } from 'node:net';
import { networkOf } from '../request/client-network.js';
import type { Warn } from './warn-each-minute.js';

/** What is left when connections are closed, so that not each answer closes one. */
const LEFT = 0.75;

/** Answers that have waited for less are closed last: they may only just have been written. */
const SLOW_MS = 1_000;

export interface UnreadLimits {
  /** Bytes of answers that clients have not read, of all connections together; the system buffers more. */
  maxUnreadBytes: number;
  /** In milliseconds. */
  now: () => number;
  warn: Warn;
}

interface Client {
  bytes: number;
  /** Longest unread first. */
  sockets: Socket[];
}

const clients = new WeakMap<Socket, string>();

/** Says whose the answers of a connection are; without it they are its address's. */
export const nameClient = (socket: Socket, client: string): void => void clients.set(socket, client);

const clientOf = (socket: Socket): string => clients.get(socket) ?? networkOf(socket.remoteAddress);

/**
 * Limits the bytes of answers that wait in the process until clients read them. Beyond the limit it closes connections that
 * have been unread for a second or more: those of the client that has most, the longest unread first.
 */
export function limitUnreadAnswers({ maxUnreadBytes, now, warn }: UnreadLimits) {
  /** Longest unread first. */
  const unread = new Map<Socket, { bytes: number; since: number }>();
  /** At least as many as there are: what was read meanwhile is counted too. */
  let total = 0;

  function forget(socket: Socket): void {
    total -= unread.get(socket)?.bytes ?? 0;
    unread.delete(socket);
  }

  function close(socket: Socket): void {
    forget(socket);
    socket.destroy();
  }

  function count(socket: Socket): void {
    const { bytes: before, since } = unread.get(socket) ?? { bytes: 0, since: now() };
    const bytes = socket.writableLength;
    total += bytes - before;
    unread.set(socket, { bytes, since });
  }

  function onUnread(socket: Socket): void {
    count(socket);
    if (total <= maxUnreadBytes) return;
    for (const each of unread.keys()) count(each);
    if (total <= maxUnreadBytes) return;
    warn('closing connections whose clients do not read their answers', { maxUnreadBytes });
    closeUntilFree(byClient({ unreadSince: now() - SLOW_MS }));
    if (total > maxUnreadBytes) closeUntilFree(byClient({ unreadSince: now() }));
  }

  /** Closes connections of whoever has most, while too much waits and there are some. */
  function closeUntilFree(holders: Client[]): void {
    while (total > maxUnreadBytes * LEFT) {
      const most = holders.reduce<Client | undefined>((a, b) => (a && a.bytes >= b.bytes ? a : b), undefined);
      const longest = most?.sockets.shift();
      if (!most || !longest) return;
      most.bytes -= unread.get(longest)?.bytes ?? 0;
      close(longest);
    }
  }

  /** What each client has not read since then. */
  function byClient({ unreadSince }: { unreadSince: number }): Client[] {
    const found = new Map<string, Client>();
    for (const [socket, { bytes, since }] of unread) {
      if (since > unreadSince) break;
      const client = found.get(clientOf(socket)) ?? { bytes: 0, sockets: [] };
      client.bytes += bytes;
      client.sockets.push(socket);
      found.set(clientOf(socket), client);
    }
    return [...found.values()];
  }

  return {
    onConnection(socket: Socket): void {
      const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
      // A response does not tell what waits once it has ended; the socket does.
      socket.write = (...args: unknown[]) => {
        const isRead = write(...args);
        if (!isRead) onUnread(socket);
        return isRead;
      };
      socket.on('drain', () => forget(socket));
      socket.once('close', () => forget(socket));
    },

    /**
     * Closes the connection whose answer has been unread for longest.
     *
     * @param ms and at least for so long
     * @returns false if there is none
     */
    closeLongestUnread(ms: number): boolean {
      const [longest] = unread;
      if (!longest || now() - longest[1].since < ms) return false;
      close(longest[0]);
      return true;
    },
  };
}
