import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

const server = useServerProcess({ FETCH_ALLOW_HOSTS: '127.0.0.1' });

const scope = { tenantId: 'acme', tenantUnitId: 'web' };
/** A page of so many bytes with one sentence to index; the rest is a script. */
const pageOf = (bytes: number) => {
  const [head, tail] = [
    '<!doctype html><title>Page</title><script>',
    '</script><p>The keeper counts ships.</p>',
  ];
  return Buffer.from(head + 'x'.repeat(bytes - head.length - tail.length) + tail);
};

/** Answers as these bytes say, whatever is asked, and ends. */
const peer = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (request) => {
    const [, path = ''] = /^GET (\S+)/.exec(request.toString('latin1')) ?? [];
    const body = pageOf(150_000);
    const close = path.startsWith('/close') ? 'Connection: close\r\n' : '';
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n${close}\r\n`;
    socket.end(Buffer.concat([Buffer.from(head), body]));
  });
});

/** An ordinary web site: pages of 0.2 to 3 MB. */
const site = http.createServer((request, response) => {
  const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
  response.setHeader('Content-Type', 'text/html');
  response.end(pageOf(200_000 + ((number * 7919) % 28) * 100_000));
});

const listening = [peer, site];
const addressOf = (one: net.Server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;

beforeAll(async () => {
  await server.start();
  for (const one of listening) await once(one.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  for (const one of listening) one.close();
  site.closeAllConnections();
});

/** Registers the pages and waits until none of them is under way; gives how many ended in which state. */
async function process(urls: string[], datasetId: string): Promise<Record<string, number>> {
  const { created } = await server.trpc.documents.createMany.mutate({ scope, urls, datasetIds: [datasetId] });
  expect(created).toHaveLength(urls.length);
  return waitFor(
    async () => {
      server.assertAlive();
      const counts: Record<string, number> = {};
      for (let start = 0; start < created.length; start += 100) {
        const documentIds = created.slice(start, start + 100).map(({ id }) => id);
        for (const { status, error } of await server.trpc.documents.getMany.query({ scope, documentIds })) {
          const state = status === 'failed' ? `failed: ${error?.code}` : status;
          counts[state] = (counts[state] ?? 0) + 1;
        }
      }
      return counts.created || counts.processing ? false : counts;
    },
    { what: 'the documents to be processed', intervalMs: 100 },
  );
}

const numbered = (count: number, path: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => path(number));

describe('a server that fetches pages survives, and reads them all', () => {
  test.each([
    ['answers that end with the connection', 'close'],
    ['whole answers behind which the connection ends unannounced', 'whole'],
  ])(
    '%s',
    async (_, name) => {
      const urls = numbered(20, (number) => `${addressOf(peer)}/${name}/${number}`);
      expect(await process(urls, name)).toEqual({ ready: 20 });
    },
    120_000,
  );

  test.each([48, 120])(
    '%i ordinary pages of 0.2 to 3 MB',
    async (count) => {
      const urls = numbered(count, (number) => `${addressOf(site)}/${count}/${number}`);
      expect(await process(urls, String(count))).toEqual({ ready: count });
    },
    240_000,
  );
});
