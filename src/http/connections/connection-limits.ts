import type { Socket } from 'node:net';
import { networkOf } from '../request/client-network.js';
import type { Warn } from './warn-each-minute.js';

export interface ConnectionLimits {
  maxConnections: number;
  /** Of an IPv4 address or an IPv6 /64. */
  maxConnectionsPerAddress: number;
  /** Addresses that many clients share, such as those of proxies; not limited. */
  isShared: (address: string) => boolean;
  /** Closes the connection whose client does not read; false if there is none. */
  closeUnread: () => boolean;
  warn: Warn;
}

interface Client {
  network: string;
  connections: number;
  /** Longest idle first. */
  idle: Set<Socket>;
}

/**
 * Limits the connections, in total and of each address. A new one takes the place of the longest idle one, or of one whose
 * client does not read its answer; where there is neither, it is closed.
 */
export function limitConnections(limits: ConnectionLimits) {
  const { maxConnections, maxConnectionsPerAddress, isShared, closeUnread, warn } = limits;
  /** Of whom each connection is; undefined for a shared address. */
  const open = new Map<Socket, Client | undefined>();
  const clients = new Map<string, Client>();
  /** Longest idle first. */
  const idle = new Set<Socket>();

  function clientOf(address: string): Client | undefined {
    if (isShared(address)) return undefined;
    const network = networkOf(address);
    return clients.get(network) ?? { network, connections: 0, idle: new Set() };
  }

  function onBusy(socket: Socket): void {
    idle.delete(socket);
    open.get(socket)?.idle.delete(socket);
  }

  function onIdle(socket: Socket): void {
    if (!open.has(socket)) return;
    idle.add(socket);
    open.get(socket)?.idle.add(socket);
  }

  function remove(socket: Socket): void {
    const client = open.get(socket);
    if (!open.delete(socket)) return;
    idle.delete(socket);
    if (!client) return;
    client.idle.delete(socket);
    client.connections -= 1;
    if (client.connections === 0) clients.delete(client.network);
  }

  /** @returns false if there is none */
  function closeLongestIdle(of: Set<Socket>): boolean {
    const [socket] = of;
    if (!socket) return false;
    remove(socket);
    socket.destroy();
    return true;
  }

  const close = (sockets: Iterable<Socket>) => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    closeIdle: () => close(idle),
    closeAll: () => close(open.keys()),
    onBusy,
    onIdle,
    onConnection(socket: Socket): void {
      const client = clientOf(socket.remoteAddress ?? '');
      if (client && client.connections >= maxConnectionsPerAddress && !closeLongestIdle(client.idle)) {
        warn('turning connections of an address away: it has as many as allowed', {
          address: client.network,
          maxConnectionsPerAddress,
        });
        socket.destroy();
        return;
      }
      if (open.size >= maxConnections && !closeLongestIdle(idle) && !closeUnread()) {
        warn('turning connections away: there are as many as allowed', { maxConnections });
        socket.destroy();
        return;
      }
      if (client) {
        client.connections += 1;
        clients.set(client.network, client);
      }
      open.set(socket, client);
      onIdle(socket);
      socket.once('close', () => remove(socket));
    },
  };
}
