import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { corrupter } from './corrupter.js';

type Direction = 'to client' | 'to server';

/** What happens to the connections through a proxy, those that are open and those that come. */
export type NetworkFault =
  /** Each chunk is late by so many milliseconds. */
  | { kind: 'delay'; ms: number }
  /** Connections are accepted, and nothing passes. When it is over they are reset, or stay black holes for good. */
  | { kind: 'stall'; isForGood?: boolean }
  /** They are reset, at once or when the server has sent so many bytes over one. */
  | { kind: 'cut'; afterBytes?: number }
  /** One side reads the end of the stream, and nothing more; what it sends still arrives. */
  | { kind: 'half-close'; direction?: Direction }
  /** Bits are flipped in one of so many bytes on average; which ones follows from the seed. */
  | { kind: 'corrupt'; seed: number; every: number; direction?: Direction }
  /** They are reset, and further ones refused. */
  | { kind: 'refuse' };

interface Connection {
  near: net.Socket;
  far: net.Socket;
  /** It leads nowhere. */
  isBlackHole: boolean;
  /** That the server has sent since the fault began. */
  answered: number;
}

/** A TCP proxy on the loopback address that delays, cuts, half-closes and corrupts. */
export class FaultProxy {
  port = 0;
  /** Connections that clients have opened so far. */
  accepted = 0;
  readonly #open = new Set<Connection>();
  #server: net.Server | undefined;
  #fault: NetworkFault | undefined;
  #corrupt = (bytes: Buffer) => bytes;

  /** @param target `host:port`, which may change: it is asked for each connection */
  constructor(
    private readonly target: () => { hostname: string; port: number },
    private readonly onAccept?: (near: net.Socket) => void,
  ) {}

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** How many connections clients have open. */
  get connections(): number {
    return [...this.#open].filter(({ near }) => !near.destroyed).length;
  }

  /** Begins to accept connections, on the same port as before. */
  async listen(): Promise<void> {
    const server = net.createServer({ allowHalfOpen: true }, (near) => this.#accept(near));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as net.AddressInfo).port;
  }

  async inject(fault: NetworkFault): Promise<void> {
    this.#fault = fault;
    this.#corrupt = fault.kind === 'corrupt' ? corrupter(fault) : (bytes) => bytes;
    if (fault.kind === 'refuse') return this.close();
    for (const connection of this.#open) this.#begin(connection, fault);
  }

  async heal(): Promise<void> {
    const over = this.#fault;
    this.#fault = undefined;
    const stays = over?.kind === 'stall' && over.isForGood;
    for (const { near, far, isBlackHole } of this.#open) {
      // As a server notices at last that nobody is there any more.
      if (near.destroyed || (isBlackHole && !stays)) far.destroy();
      if (isBlackHole && !stays) near.resetAndDestroy();
    }
    if (!this.#server) await this.listen();
  }

  /** Resets all connections and refuses further ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<unknown>((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    for (const { near, far } of this.#open) {
      near.resetAndDestroy();
      far.destroy();
    }
    await closed;
  }

  #accept(near: net.Socket): void {
    this.accepted++;
    const { hostname, port } = this.target();
    const far = net.connect({ host: hostname, port, allowHalfOpen: true });
    const connection: Connection = { near, far, isBlackHole: false, answered: 0 };
    this.#open.add(connection);
    this.onAccept?.(near);
    this.#pump(connection, 'to server');
    this.#pump(connection, 'to client');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => {});
      socket.on('close', () => {
        // The news does not pass a black hole.
        if (!connection.isBlackHole || !this.#fault) other.destroy();
        if (near.destroyed && far.destroyed) this.#open.delete(connection);
      });
    }
    if (this.#fault) this.#begin(connection, this.#fault);
  }

  #begin(connection: Connection, fault: NetworkFault): void {
    const { near, far } = connection;
    connection.answered = 0;
    if (fault.kind === 'stall') connection.isBlackHole = true;
    if (fault.kind === 'half-close') (fault.direction === 'to server' ? far : near).end();
    if (fault.kind === 'cut' && !fault.afterBytes) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  #pump(connection: Connection, direction: Direction): void {
    const { near, far } = connection;
    const [from, to] = direction === 'to server' ? [near, far] : [far, near];
    let passing = Promise.resolve();
    const inOrder = (step: () => Promise<void> | void) => {
      passing = passing.then(step);
    };
    from.on('data', (chunk: Buffer) => {
      from.pause();
      inOrder(async () => {
        await this.#pass(connection, direction, chunk);
        from.resume();
      });
    });
    from.on('end', () => inOrder(() => void (connection.isBlackHole ? from : to).end()));
  }

  async #pass(connection: Connection, direction: Direction, chunk: Buffer): Promise<void> {
    const { near, far } = connection;
    const to = direction === 'to server' ? far : near;
    const fault = this.#fault;
    if (fault?.kind === 'delay') await delay(fault.ms);
    if (connection.isBlackHole || to.destroyed || to.writableEnded) return;
    if (fault?.kind === 'corrupt' && (fault.direction ?? 'to client') === direction) {
      to.write(this.#corrupt(chunk));
    } else if (fault?.kind === 'cut' && direction === 'to client') {
      connection.answered += chunk.length;
      const left = (fault.afterBytes ?? 0) - (connection.answered - chunk.length);
      to.write(chunk.subarray(0, Math.max(0, left)), () => {
        if (connection.answered < (fault.afterBytes ?? 0)) return;
        near.resetAndDestroy();
        far.destroy();
      });
    } else if (!to.write(chunk)) {
      await new Promise<void>((resolve) => {
        to.once('drain', resolve);
        to.once('close', resolve);
      });
    }
  }
}
