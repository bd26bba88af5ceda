import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface EngineRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** An answer; `half` of one, whose connection then ends; or none at all. */
export type EngineAnswer =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | 'half'
  | 'reset'
  | 'hang';

/** A server on the loopback address that gets files. */
export async function startEngineServer(
  answer: (request: EngineRequest) => EngineAnswer | Promise<EngineAnswer>,
) {
  const requests: EngineRequest[] = [];
  const server = createServer((request, response) => {
    // A client that ends in the middle of its request is not answered.
    respond(request, response).catch(() => response.destroy());
  });
  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url: path = '', headers } = request;
    const asked = { method, path, headers, body: await buffer(request) };
    requests.push(asked);
    const given = await answer(asked);
    if (given === 'hang') return;
    if (given === 'reset') return response.destroy();
    if (given === 'half') {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
      return response.write('half', () => response.destroy());
    }
    const { status = 200, headers: answered, body = '' } = given;
    return response.writeHead(status, answered).end(body);
  }
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer of JSON. */
export const json = (value: unknown, status = 200): EngineAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
