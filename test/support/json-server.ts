import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A failure: an answer, or none at all. */
export type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'reset' | 'hang';

/**
 * A server on the loopback address that is asked with JSON.
 *
 * @param answer gives a fault, or the value that is answered as JSON
 */
export async function startJsonServer(
  answer: (body: any, request: IncomingMessage) => { fault: Fault } | { value: unknown },
) {
  const server = createServer(async (req, res) => {
    try {
      const given = answer(JSON.parse(await text(req)), req);
      if ('value' in given) {
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(given.value));
      } else if (given.fault === 'reset') {
        res.destroy();
      } else if (given.fault !== 'hang') {
        const { status, headers, body } = given.fault;
        res.writeHead(status, headers).end(body ?? '');
      }
    } catch {
      res.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
