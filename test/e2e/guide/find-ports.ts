import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

/** Ports that nothing listens on, in place of others. Below 32,768 no client has one by chance. */
export async function findPorts(ports: number[]): Promise<Map<string, string>> {
  const found = await Promise.all(
    ports.map(async (port) => [String(port), String(await findPort())] as const),
  );
  return new Map(found);
}

async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const server = net.createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
