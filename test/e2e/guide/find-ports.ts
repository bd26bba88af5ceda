import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

/** Ports that nothing listens on, in place of others. Embedded databases take theirs from 20,000 on, clients from 32,768 on. */
export async function findPorts(ports: number[]): Promise<Map<string, string>> {
  const found = await Promise.all(
    ports.map(async (port) => [String(port), String(await findPort())] as const),
  );
  return new Map(found);
}

async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 20_000);
    const server = net.createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
