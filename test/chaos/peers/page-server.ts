import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../bench/support/random.js';
import { toPage } from '../load/files.js';

/** So slow are some pages that workers die over them. */
const LONGEST_PAUSE_MS = 2_000;
const SLOW = 0.3;
const FAILING = 0.05;

export interface PageServer {
  /** Serves the text from now on; gives its address. */
  add(text: string): string;
  close(): void;
}

/** The web, from which documents are fetched: sometimes slow, now and then it has no answer. */
export async function startPageServer(random: Random): Promise<PageServer> {
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const text = texts[Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1])];
    if (random.next() < SLOW) await delay(random.below(LONGEST_PAUSE_MS));
    if (text === undefined) response.writeHead(404).end();
    else if (random.next() < FAILING) response.writeHead(503).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(toPage(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    add: (text) => `http://127.0.0.1:${port}/${texts.push(text) - 1}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
