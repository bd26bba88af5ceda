import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export interface Endpoint {
  url: string;
  close(): void;
}

/** An endpoint that speaks `/v1/embeddings` and answers each request after a while with vectors of no meaning. */
export async function startEndpoint(dimensions: number, delayMs: number): Promise<Endpoint> {
  const server = createServer(async (req, res) => {
    const { input } = JSON.parse(await text(req)) as { input: string[] };
    await delay(delayMs);
    const data = input.map((one, index) => ({ index, embedding: makeVector(one, dimensions) }));
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The same for the same text; elements are between -1 and 1. */
export function makeVector(seed: string, dimensions: number): number[] {
  const bytes = createHash('shake256', { outputLength: dimensions }).update(seed).digest();
  return [...bytes].map((byte) => (byte - 127.5) / 127.5);
}
