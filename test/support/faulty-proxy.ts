import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** What becomes of one request. */
export type Fault =
  /** It is handed on, and the connection breaks before its answer. */
  | 'no answer'
  /** Likewise in the middle of its answer. */
  | 'half an answer'
  /** It is not handed on, but answered so. */
  | { status: number; retryAfter?: string };

export interface FaultyProxy {
  address: string;
  /** What becomes of the next requests; those that follow are handed on. */
  faults: Fault[];
  /** The requests so far. */
  requests: { method: string; path: string; idempotencyKey: string | undefined }[];
  /** Connections to it break, whatever they are used for. */
  breakConnections(): void;
  close(): void;
}

/** Stands before a server, as a load balancer does, and fails as told. */
export async function startFaultyProxy(target: () => string): Promise<FaultyProxy> {
  const faults: Fault[] = [];
  const requests: FaultyProxy['requests'] = [];
  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'];
    requests.push({ method, path: url.split('?')[0] ?? '', idempotencyKey: key?.toString() });
    const fault = faults.shift();
    if (typeof fault === 'object') {
      request.resume();
      response.writeHead(fault.status, fault.retryAfter ? { 'Retry-After': fault.retryAfter } : {});
      return void response.end();
    }
    const onward = http.request(new URL(url, target()), { method, headers, agent: false });
    onward.on('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    pipeline(request, onward, () => {});
    onward.once('response', async (answer) => {
      if (!fault) {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        return void pipeline(answer, response, () => {});
      }
      const body = Buffer.concat(await answer.toArray());
      if (fault === 'no answer') return void response.destroy();
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      response.write(body.subarray(0, body.length >> 1), () => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    requests,
    breakConnections: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
