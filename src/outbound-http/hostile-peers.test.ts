import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FetchOptions, fetchUrl } from './fetch-url.js';

const MIB = 2 ** 20;

/** What the peer does once a request has come. */
let respond: (socket: Socket) => void;
const open = new Set<Socket>();
const peer = net.createServer((socket) => {
  open.add(socket);
  socket.on('error', () => {}).on('close', () => open.delete(socket));
  socket.once('data', () => respond(socket));
});
let base = '';

beforeAll(async () => {
  await once(peer.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(peer.address() as AddressInfo).port}/`;
});
afterAll(() => peer.close());

const get = (options: Partial<FetchOptions> = {}) =>
  fetchUrl(base, { maxBytes: 64 * MIB, allowHosts: ['127.0.0.1'], ...options });

async function text(options: Partial<FetchOptions> = {}): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (await get(options)).body) parts.push(part);
  return Buffer.concat(parts).toString();
}

const lines = (...some: string[]) => `${some.join('\r\n')}\r\n\r\n`;
const OK = 'HTTP/1.1 200 OK';
const HELLO = `${lines(OK, 'Content-Length: 5')}hello`;
const untilClosed = async () => {
  while (open.size > 0) await nextTick();
};

describe('a complete response is accepted, whatever follows it', () => {
  it.each([
    [
      'the end of the connection, announced',
      `${lines(OK, 'Content-Length: 5', 'Connection: close')}hello`,
      'hello',
    ],
    ['the end of the connection, not announced', HELLO, 'hello'],
    ['the end of the connection that is the end of the body', `${lines(OK)}hello`, 'hello'],
    ['a second answer', HELLO + HELLO, 'hello'],
    ['garbage', `${HELLO}\0\r\n<<>>`, 'hello'],
    [
      'trailers',
      `${lines(OK, 'Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n`,
      'hello',
    ],
    ['a body that its status forbids', `${lines('HTTP/1.1 204 No Content', 'Content-Length: 5')}hello`, ''],
    ['interim answers before it', lines('HTTP/1.1 103 Early Hints', 'Link: </a>').repeat(3) + HELLO, 'hello'],
  ])('%s', async (_, answer, body) => {
    respond = (socket) => socket.end(answer);
    expect(await text()).toBe(body);
  });

  it('the end of the connection while nobody reads', async () => {
    const body = Buffer.alloc(3 * MIB, 'x');
    const ended = new Promise((resolve) => {
      respond = (socket) => {
        socket.write(lines(OK, `Content-Length: ${body.length}`, 'Connection: close'));
        socket.end(body, () => resolve(undefined));
      };
    });
    let received = 0;
    for await (const part of (await get()).body) {
      if (received === 0) await Promise.race([ended, nextTick()]);
      received += part.byteLength;
      await nextTick();
    }
    expect(received).toBe(body.length);
  });

  it('a body behind a 304, where it was expected', async () => {
    respond = (socket) => socket.end(`${lines('HTTP/1.1 304 Not Modified', 'Content-Length: 5')}hello`);
    expect(await get({ validators: { etag: '"a"' } })).toMatchObject({ notModified: true });
  });
});

describe('an incomplete response is rejected', () => {
  const unreachable = { name: 'FetchError', code: 'unreachable', retryable: true };
  const halves: [string, string][] = [
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['less than announced', `${lines(OK, 'Content-Length: 50')}hello`],
    ['chunks without the last one', `${lines(OK, 'Transfer-Encoding: chunked')}5\r\nhello\r\n`],
  ];

  it.each(halves)('%s, and the end', async (_, answer) => {
    respond = (socket) => socket.end(answer);
    await expect(text()).rejects.toMatchObject(unreachable);
  });

  it.each(halves)('%s, and a reset', async (_, answer) => {
    respond = (socket) => socket.write(answer || ' ', () => socket.resetAndDestroy());
    await expect(text()).rejects.toMatchObject({ name: 'FetchError', retryable: true });
  });
});

describe('a malformed response', () => {
  it.each([
    ['no HTTP at all', '<html>hello</html>'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    [
      'a change of the protocol',
      lines('HTTP/1.1 101 Switching Protocols', 'Upgrade: x', 'Connection: upgrade'),
    ],
    ['nothing but interim answers', lines('HTTP/1.1 100 Continue').repeat(10_000)],
    ['a header without end', `${OK}\r\nX: ${'a'.repeat(100_000)}`],
    ['headers without end', `${OK}\r\n${'X: a\r\n'.repeat(100_000)}`],
    ['trailers without end', `${lines(OK, 'Transfer-Encoding: chunked')}0\r\n${'X: a\r\n'.repeat(100_000)}`],
    ['a chunk extension without end', `${lines(OK, 'Transfer-Encoding: chunked')}1;${'a'.repeat(100_000)}`],
    ['a folded header', `${lines(OK, 'X-Folded: a', '\tb', 'Content-Length: 5')}hello`],
    ['two lengths', `${lines(OK, 'Content-Length: 5', 'Content-Length: 6')}hello`],
    [
      'a length and chunks',
      `${lines(OK, 'Content-Length: 5', 'Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n`,
    ],
    ['a length that is none', `${lines(OK, 'Content-Length: 5x')}hello`],
    ['chunks that are none', `${lines(OK, 'Transfer-Encoding: chunked')}five\r\nhello\r\n`],
    ['what is not compressed as it says', `${lines(OK, 'Content-Encoding: gzip', 'Content-Length: 5')}hello`],
    ['an unknown compression', `${lines(OK, 'Content-Encoding: zoo', 'Content-Length: 5')}hello`],
  ])('%s', async (_, answer) => {
    respond = (socket) => socket.write(answer);
    await expect(text()).rejects.toMatchObject({ name: 'FetchError', code: 'broken_body' });
    await untilClosed();
  });
});

describe('errors after the body was read', () => {
  it.each([
    ['a reset', (socket: Socket) => socket.resetAndDestroy()],
    ['the end', (socket: Socket) => socket.end()],
    ['a broken chunk', (socket: Socket) => socket.write('nonsense\r\n')],
  ])('%s', async (_, finish) => {
    let begun: Socket | undefined;
    respond = (socket) => {
      begun = socket;
      socket.write(`${lines(OK, 'Transfer-Encoding: chunked')}5\r\nhello\r\n`);
    };
    for await (const part of (await get()).body) {
      expect(Buffer.from(part).toString()).toBe('hello');
      break;
    }
    finish(begun!);
    await untilClosed();
    // Nobody ever begins to read this one.
    await get({ timeoutMs: 1_000 });
    finish(begun!);
    begun!.end();
    await untilClosed();
  });
});

describe('compressed bodies', () => {
  const send = (encoding: string, body: Uint8Array) => {
    respond = (socket) => {
      socket.write(lines(OK, `Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`));
      socket.end(body);
    };
  };
  const hello = Buffer.from('hello');

  it.each([
    ['gzip', zlib.gzipSync(hello)],
    ['X-GZIP', Buffer.concat([zlib.gzipSync('hel'), zlib.gzipSync('lo')])],
    ['br', zlib.brotliCompressSync(hello)],
    ['deflate', zlib.deflateSync(hello)],
    ['deflate', zlib.deflateRawSync(hello)],
    ['identity', hello],
  ])('%s', async (encoding, body) => {
    send(encoding, body);
    expect(await text()).toBe('hello');
  });

  it.each(['gzip', 'br', 'deflate'])('of nothing, said to be %s, are nothing', async (encoding) => {
    send(encoding, Buffer.alloc(0));
    expect(await text()).toBe('');
  });

  it.each([
    ['gzip', zlib.gzipSync('hello '.repeat(1000))],
    ['br', zlib.brotliCompressSync('hello '.repeat(1000))],
    ['deflate', zlib.deflateSync('hello '.repeat(1000))],
  ])('cut off, %s, are refused', async (encoding, body) => {
    send(encoding, body.subarray(0, -5));
    await expect(text()).rejects.toMatchObject({ code: 'broken_body' });
  });

  it.each([
    ['br', zlib.brotliCompressSync(Buffer.alloc(50 * MIB, '\n'))],
    ['gzip', zlib.gzipSync(Buffer.alloc(50 * MIB, '\n'))],
  ])('that explode, %s, are refused long before their end', async (encoding, body) => {
    send(encoding, body);
    let received = 0;
    const reading = (async () => {
      for await (const part of (await get()).body) received += part.byteLength;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'too_large', retryable: false });
    expect(received).toBeLessThan(Math.max(8 * MIB, 500 * body.length) + MIB);
  });

  it('that decompress to nothing are read no further than is allowed', async () => {
    const empty = Buffer.concat(Array(1_000).fill(zlib.gzipSync('')));
    respond = (socket) => {
      socket.write(lines(OK, 'Content-Encoding: gzip'));
      const feed = () => {
        while (!socket.destroyed && socket.write(empty));
      };
      socket.on('drain', feed);
      feed();
    };
    await expect(text({ maxBytes: MIB })).rejects.toMatchObject({ code: 'too_large' });
    await untilClosed();
  });

  it('of logs and tables are read, however well they compress', async () => {
    const log = Array.from(
      { length: 250_000 },
      (_, i) => `2026-01-01T00:00:00Z INFO server: request ${i % 7} answered with status 200\n`,
    ).join('');
    const body = zlib.gzipSync(log);
    expect(log.length / body.length).toBeGreaterThan(100);
    send('gzip', body);
    expect((await text()).length).toBe(log.length);
  });
});
