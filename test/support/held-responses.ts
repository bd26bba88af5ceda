import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** A loopback web server whose responses are held until released, for the tests of one file. */
export function useHeldResponses() {
  const requests: { path: string; response: ServerResponse }[] = [];
  const server = createServer(({ url = '' }, response) => void requests.push({ path: url, response }));
  let base = '';

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Those whose client still waits. */
  const open = () => requests.filter(({ response }) => !response.destroyed && !response.writableEnded);
  return {
    url: (path: string) => base + path,
    /** The paths that somebody waits for. */
    asked: () => open().map(({ path }) => path),
    answer(path: string, text: string): void {
      for (const request of open()) {
        if (request.path !== path) continue;
        request.response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
      }
    },
  };
}
