import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../bench/support/random.js';

const LONGEST_PAUSE_MS = 100;
const SLOW = 0.2;
const MOST_AGE_S = 300;

export interface Receipt {
  eventId: string;
  type: string;
  /** Of an event of a conversation. */
  conversationId: string | undefined;
  /** Of its first receipt among those of the webhook. */
  place: number;
  times: number;
  /** Each time; that of another time may be by another secret. */
  isSigned: boolean;
}

export interface Consumer {
  addressOf(name: string): string;
  /** Which secrets may sign what is sent to a webhook. */
  secrets: Map<string, string[]>;
  /** What came to a webhook, by the id of the event. */
  receipts(name: string): Map<string, Receipt>;
  count(): number;
  close(): void;
}

/** Receives webhooks, as the guide's consumer does, and remembers them. */
export async function startConsumer(random: Random): Promise<Consumer> {
  const secrets = new Map<string, string[]>();
  const received = new Map<string, Map<string, Receipt>>();
  const receipts = (name: string) => {
    const found = received.get(name) ?? new Map<string, Receipt>();
    received.set(name, found);
    return found;
  };
  let count = 0;

  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1);
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return; // The sender was killed.
    }
    const body = Buffer.concat(parts).toString();
    const eventId = String(request.headers['webhook-id']);
    const isSigned = (secrets.get(name) ?? []).some((secret) => hasSignature(secret, request.headers, body));
    const all = receipts(name);
    const before = all.get(eventId);
    count++;
    if (before) {
      before.times++;
      before.isSigned &&= isSigned;
    } else {
      const { type, data } = JSON.parse(body);
      all.set(eventId, {
        eventId,
        type,
        conversationId: data.conversationId,
        place: all.size,
        times: 1,
        isSigned,
      });
    }
    if (random.next() < SLOW) await delay(random.below(LONGEST_PAUSE_MS));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    addressOf: (name) => `http://127.0.0.1:${port}/${name}`,
    secrets,
    receipts,
    count: () => count,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function hasSignature(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) < MOST_AGE_S)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${id}.${timestamp}.${body}`;
  const expected = Buffer.from(createHmac('sha256', key).update(content).digest('base64'));
  return String(signatures)
    .split(' ')
    .some((one) => {
      const given = Buffer.from(one.slice('v1,'.length));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}
