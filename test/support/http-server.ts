import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach } from 'vitest';
import { createHttpServer, type HttpServerOptions } from '../../src/http/server.js';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The HTTP server with a listener of a test, and connections to it. Both are closed after the test. */
export async function serve(listener: RequestListener, options: Partial<HttpServerOptions> = {}) {
  const lines: object[] = [];
  const server = createHttpServer(listener, {
    requestTimeoutMs: 60_000,
    maxConnections: 100,
    maxConnectionsPerAddress: 100,
    isShared: () => false,
    checkIntervalMs: 20,
    log: pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) }),
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const connect = (localAddress = '127.0.0.1') => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress });
    closers.push(() => socket.destroy());
    return socket;
  };
  return { server, port, connect, lines };
}

/** All that a server says until it closes the connection. */
export async function allOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.on('close', resolve));
  return text;
}
