import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../../support/wait-for.js';

export interface Received {
  id: string;
  timestamp: number;
  signatures: string[];
  headers: http.IncomingHttpHeaders;
  /** Exactly what came. */
  text: string;
  body: any;
}

interface ConsumerAnswer {
  status: number;
  headers?: Record<string, string>;
}

export type Consumer = Awaited<ReturnType<typeof startConsumer>>;

/** A webhook consumer on a loopback port. */
export async function startConsumer() {
  const received: Received[] = [];
  const state = {
    /** What it says to an event; what returns nothing leaves the request unanswered. */
    answer: (_event: Received): ConsumerAnswer | undefined | Promise<ConsumerAnswer> => ({ status: 204 }),
  };
  let open = 0;
  let mostOpen = 0;
  const server = http.createServer(async (request, response) => {
    mostOpen = Math.max(mostOpen, ++open);
    response.once('close', () => open--);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const { headers } = request;
    const event = {
      id: String(headers['webhook-id']),
      timestamp: Number(headers['webhook-timestamp']),
      signatures: String(headers['webhook-signature']).split(' '),
      headers,
      text,
      body: JSON.parse(text),
    };
    received.push(event);
    const answer = await state.answer(event);
    if (answer) response.writeHead(answer.status, answer.headers).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    /** Requests without a whole answer, now. */
    get open() {
      return open;
    },
    /** And the most of them at any time. */
    get mostOpen() {
      return mostOpen;
    },
    types: () => received.map(({ body }) => body.type),
    /** Waits until so many events have come. */
    async expectEvents(count: number): Promise<Received[]> {
      await waitFor(() => received.length >= count, { what: `${count} events` });
      return received;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** By the formula of the convention, and nothing else. */
export function signatureOf({ id, timestamp, text }: Received, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;
}
