import { once } from 'node:events';
import net from 'node:net';

/** A port that nothing listens on, for a server whose address others have to know before it starts. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
