import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A failure: an answer, or none at all. */
export type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'reset' | 'hang';

type JsonAnswer = { fault: Fault } | { value: unknown };

/**
 * A server on the loopback address that is asked with JSON.
 *
 * @param answer gives a fault, or the value that is answered as JSON
 */
export async function startJsonServer(
  answer: (body: any, request: IncomingMessage) => JsonAnswer | Promise<JsonAnswer>,
  { port = 0 } = {},
) {
  const server = createServer(async (req, res) => {
    try {
      const given = await answer(JSON.parse(await text(req)), req);
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
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const { port: listening } = server.address() as AddressInfo;
  return {
    port: listening,
    address: `http://127.0.0.1:${listening}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
