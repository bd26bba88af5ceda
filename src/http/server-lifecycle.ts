import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const IDLE_INTERVAL_MS = 100;
/** Connections that wait to be accepted; the system may allow fewer. Node.js accepts one in each turn of its event loop. */
const BACKLOG = 4_096;

/** Starts to listen; port 0 picks a free one. */
export function listen(http: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen({ port, host, backlog: BACKLOG }, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

/** The base URL of a listening server. */
export function serverAddress(http: Server): string {
  const { address, port, family } = http.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Graceful shutdown: stops accepting, waits so long for open requests, then closes all connections. */
export async function closeGracefully(http: Server | undefined, drainMs: number): Promise<void> {
  if (!http?.listening) return;
  const closed = new Promise((resolve) => http.close(resolve));
  // Streams end during shutdown; their connections become idle only then.
  const dropIdle = setInterval(() => http.closeIdleConnections(), IDLE_INTERVAL_MS);
  const cutOff = setTimeout(() => http.closeAllConnections(), drainMs);
  await closed;
  clearInterval(dropIdle);
  clearTimeout(cutOff);
}
