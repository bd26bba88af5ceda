import http from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countReachable } from '../../test/support/count-reachable.js';
import { createAllowlist } from '../outbound-http/allowlist.js';
import { createHttpClient } from '../outbound-http/http-client.js';
import { createSendWebhook } from './send.js';
import { createWebhookUrlValidator } from './validate-url.js';

const now = new Date('2026-03-01T12:00:00Z');
const asked: (string | undefined)[] = [];
let answer: http.RequestListener = (_request, response) => response.end();
const server = http.createServer((request, response) => {
  asked.push(request.headers.host);
  answer(request, response);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const toLoopback: LookupFunction = (_host, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]);

function send(host: string, allowed: string[], stopping = new AbortController().signal) {
  const allow = createAllowlist(allowed);
  const client = createHttpClient(allow, toLoopback);
  const run = createSendWebhook({ client, validateUrl: createWebhookUrlValidator(allow), clock: () => now });
  const secrets = [`whsec_${Buffer.alloc(24).toString('base64')}`];
  return run({ url: `${host}:${port}/`, secrets, eventId: 'event', payload: '{}' }, stopping);
}

describe('an address', () => {
  it('whose name leads to a private one is not reached', async () => {
    expect(await send('https://public.example', [])).toEqual({
      status: null,
      error: 'The address does not lead to the public Internet, so nothing is sent to it.',
    });
    expect(asked).toEqual([]);
  });

  it('that is no longer allowed is not reached', async () => {
    expect(await send('http://public.example', [])).toEqual({
      status: null,
      error: 'Nothing is sent to this address: it must begin with https://.',
    });
    expect(asked).toEqual([]);
  });

  it('reports a protocol mismatch', async () => {
    expect(await send('https://public.example', ['public.example'])).toEqual({
      status: null,
      error:
        'There is no safe connection to the consumer: its certificate is not trusted, or its encryption does not work.',
    });
  });
});

describe('an answer', () => {
  const answered = async (status: number, headers: http.OutgoingHttpHeaders = {}, body = '') => {
    answer = (_request, response) => response.writeHead(status, headers).end(body);
    return send('http://consumer.test', ['consumer.test']);
  };

  it('of 200 to 299 is a success, whatever it holds', async () => {
    expect(await answered(200)).toEqual({ status: 200, error: null });
    expect(await answered(299, {}, 'x'.repeat(100_000))).toEqual({ status: 299, error: null });
  });

  it('counts even if the body breaks off', async () => {
    answer = (_request, response) => {
      response.writeHead(202, { 'content-length': '100' }).write('begun');
      setImmediate(() => response.destroy());
    };
    expect(await send('http://consumer.test', ['consumer.test'])).toEqual({ status: 202, error: null });
  });

  it('is one from its status on, even if it never ends', async () => {
    const closed = new Promise((resolve) => {
      answer = (_request, response) => {
        const feed = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', feed).on('close', resolve);
        feed();
      };
    });
    expect(await send('http://consumer.test', ['consumer.test'])).toEqual({ status: 200, error: null });
    await closed;
  });

  it.each([
    ['nothing but interim answers', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`],
    [
      'a change of the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
  ])('that is %s is a failure', async (_, bytes) => {
    answer = (request) => void request.socket.write(bytes);
    expect(await send('http://consumer.test', ['consumer.test'])).toEqual({
      status: null,
      error: 'The consumer sent an answer that cannot be read.',
    });
  });

  it('of another status is a failure, with Retry-After', async () => {
    const error = 'The consumer answered with status 503.';
    expect(await answered(503, { 'retry-after': '120' })).toEqual({
      status: 503,
      error,
      retryAfterMs: 120_000,
    });
    const date = new Date(now.getTime() + 60_000).toUTCString();
    expect(await answered(503, { 'retry-after': date })).toEqual({
      status: 503,
      error,
      retryAfterMs: 60_000,
    });
    for (const value of ['soon', '-1', '0', new Date(0).toUTCString()]) {
      expect(await answered(503, { 'retry-after': value })).toEqual({ status: 503, error });
    }
  });

  it('can be aborted', async () => {
    const stopping = new AbortController();
    answer = () => stopping.abort();
    expect(await send('http://consumer.test', ['consumer.test'], stopping.signal)).toBe(undefined);
  });

  it('that is invalid is a failure', async () => {
    answer = (request) => request.socket.destroy();
    expect(await send('http://consumer.test', ['consumer.test'])).toEqual({
      status: null,
      error: 'There was no connection to the consumer, or it broke off.',
    });
  });
});

it('leaves nothing in a signal that lives as long as the process', async () => {
  const stopping = new AbortController().signal;
  const sendSome = async (count: number) => {
    for (let i = 0; i < count; i++) await send('http://consumer.test', ['consumer.test'], stopping);
    return countReachable(stopping);
  };
  answer = (_request, response) => response.end();
  const kept = await sendSome(2);
  expect(await sendSome(5)).toBe(kept);
  answer = (request) => request.socket.destroy();
  expect(await sendSome(5)).toBe(kept);
  stopping.addEventListener('abort', () => {});
  expect(countReachable(stopping)).toBeGreaterThan(kept);
});
