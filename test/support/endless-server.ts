import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What counts as no end: a process that reads so much reads on. */
const MANY_BYTES = 64 * 2 ** 20;

export interface EndlessAnswer {
  status: number;
  type: string;
  /** How it begins. */
  start?: string;
  /** What is repeated. */
  piece: string | Buffer;
  /** Between two pieces. */
  pauseMs?: number;
}

/** A server on the loopback address whose answers go on until the connection is closed, or until too much was read. */
export async function startEndlessServer(answer: EndlessAnswer) {
  let longest = 0;
  async function* body() {
    yield answer.start ?? '';
    for (let sent = 0; sent < MANY_BYTES; sent += answer.piece.length) {
      if (answer.pauseMs) await sleep(answer.pauseMs);
      yield answer.piece;
      longest = Math.max(longest, sent);
    }
  }
  const server = createServer((request, response) => {
    request.on('error', () => {}).resume();
    response.writeHead(answer.status, { 'content-type': answer.type });
    pipeline(Readable.from(body(), { objectMode: false }), response).catch(() => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Whether a client went on reading an answer. */
    isReadOn: () => longest >= MANY_BYTES / 2,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
