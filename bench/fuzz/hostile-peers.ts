import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

const MIB = 1024 * 1024;
const DRIP_MS = 50;

type Behaviour = (socket: Socket) => void;

const head = (lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`;
const text = (lines: string[], body: string | Buffer) =>
  Buffer.concat([Buffer.from(head(lines)), Buffer.from(body)]);
const reply =
  (bytes: Buffer | string): Behaviour =>
  (socket) =>
    void socket.end(bytes);
/** Goes on until the other side leaves. */
const forEver =
  (first: string, next: string | Buffer): Behaviour =>
  (socket) => {
    socket.write(first);
    const pump = () => {
      while (!socket.destroyed && socket.write(next));
    };
    socket.on('drain', pump);
    pump();
  };
const drip =
  (first: string, next: string): Behaviour =>
  (socket) => {
    socket.write(first);
    const dripping = setInterval(() => socket.write(next), DRIP_MS);
    socket.on('close', () => clearInterval(dripping));
  };
const encoded = (encoding: string, bytes: Buffer) =>
  reply(
    text(
      [`Content-Encoding: ${encoding}`, `Content-Length: ${bytes.length}`, 'Content-Type: text/plain'],
      bytes,
    ),
  );
const sized = (body: string | Buffer, ...lines: string[]) =>
  reply(text([`Content-Length: ${Buffer.byteLength(body)}`, ...lines], body));

const page = 'word '.repeat(30_000);
const urls = (count: number) =>
  Array.from({ length: count }, (_, i) => `<url><loc>ftp://page.invalid/${i}</loc></url>`).join('');
const newlines = Buffer.alloc(50 * MIB, '\n');
const bombs = {
  gzip: gzipSync(newlines),
  br: brotliCompressSync(newlines),
  deflate: deflateSync(newlines),
  twice: gzipSync(gzipSync(newlines)),
};

/** What web servers do that mean harm, or are broken, by the path that is asked for. */
const BEHAVIOURS: Record<string, Behaviour> = {
  'page-then-fin': sized(page, 'Connection: close', 'Content-Type: text/plain'),
  'page-then-fin-unannounced': sized(page, 'Content-Type: text/plain'),
  'slow-reader-fin': (socket) => {
    socket.write(head([`Content-Length: ${3 * MIB}`, 'Connection: close', 'Content-Type: text/plain']));
    socket.end(Buffer.alloc(3 * MIB, 'text '));
  },
  truncated: reply(text(['Content-Length: 1000000'], page)),
  'reset-in-body': (socket) => {
    socket.write(text(['Content-Length: 1000000'], page), () => socket.resetAndDestroy());
  },
  'reset-at-once': (socket) => void socket.resetAndDestroy(),
  silent: () => {},
  'fin-at-once': reply(''),
  'not-http': reply('SSH-2.0-OpenSSH_9.9\r\n'),
  'http-0.9': reply('<html>old</html>'),
  'endless-status': forEver('HTTP/1.1 200 ', 'O'.repeat(1024)),
  'endless-header': forEver('HTTP/1.1 200 OK\r\nX-A: ', 'a'.repeat(65_536)),
  'endless-headers': forEver('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'.repeat(1024)),
  'many-interim': forEver('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(256)),
  'switch-protocol': reply('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx'),
  'dripped-header': drip('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'),
  'dripped-body': drip(head(['Content-Length: 1000000']), 'a'),
  'dripped-chunks': drip(head(['Transfer-Encoding: chunked']), '1\r\na\r\n'),
  'endless-body': forEver(head(['Connection: close', 'Content-Type: text/plain']), 'a'.repeat(65_536)),
  'endless-tiny-chunks': forEver(head(['Transfer-Encoding: chunked']), '1\r\na\r\n'.repeat(1024)),
  'chunk-extension': forEver(`${head(['Transfer-Encoding: chunked'])}1;`, 'a'.repeat(65_536)),
  'bad-chunk': reply(`${head(['Transfer-Encoding: chunked'])}zz\r\nabc\r\n`),
  'huge-chunk': reply(`${head(['Transfer-Encoding: chunked'])}ffffffffffffffff\r\nabc\r\n`),
  'both-lengths': reply(text(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n')),
  'two-lengths': reply(text(['Content-Length: 5', 'Content-Length: 6'], 'hello')),
  'negative-length': reply(text(['Content-Length: -1'], 'hello')),
  'huge-length': reply(text(['Content-Length: 99999999999999999999'], 'hello')),
  'no-content-with-body': reply('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello'),
  'not-modified-unasked': reply('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'),
  'partial-unasked': reply('HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\nhello'),
  'status-999': reply('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'),
  'redirect-loop': reply('HTTP/1.1 302 Found\r\nLocation: /redirect-loop\r\nContent-Length: 0\r\n\r\n'),
  'redirect-to-file': reply(
    'HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n',
  ),
  'redirect-to-private': reply(
    'HTTP/1.1 302 Found\r\nLocation: http://[::1]:1/\r\nContent-Length: 0\r\n\r\n',
  ),
  'redirect-far': reply(
    `HTTP/1.1 302 Found\r\nLocation: /${'a'.repeat(12_000)}\r\nContent-Length: 0\r\n\r\n`,
  ),
  'redirect-with-endless-body': forEver(
    'HTTP/1.1 302 Found\r\nLocation: /status-999\r\n\r\n',
    'a'.repeat(65_536),
  ),
  'gzip-bomb': encoded('gzip', bombs.gzip),
  'brotli-bomb': encoded('br', bombs.br),
  'deflate-bomb': encoded('deflate', bombs.deflate),
  'gzip-bomb-in-gz-file': sized(bombs.gzip, 'Content-Type: application/gzip'),
  'gzip-twice': encoded('gzip', bombs.twice),
  'gzip-garbage': encoded('gzip', Buffer.from('no gzip at all')),
  'gzip-truncated': encoded('gzip', bombs.gzip.subarray(0, 1_000)),
  'unknown-encoding': encoded('zstd, gzip, br, x-odd', Buffer.from('a')),
  'odd-headers': sized(
    'text',
    `Content-Disposition: attachment; filename="${'../'.repeat(2_000)}\xff\xfe"`,
    `ETag: ${'"e'.repeat(3_000)}`,
    'Last-Modified: Sat, 00 Foo 99999 99:99:99 GMT',
    `Content-Type: text/plain; charset=${'x'.repeat(3_000)}`,
  ),
  'sitemap-newlines': sized(newlines, 'Content-Type: text/plain'),
  'sitemap-wide': sized(`<urlset>${urls(200_000)}</urlset>`, 'Content-Type: text/xml'),
  'sitemap-deep': sized(`<urlset>${'<a>'.repeat(300_000)}`, 'Content-Type: text/xml'),
  'sitemap-one-line': sized(`http://page.invalid/${'a'.repeat(20 * MIB)}`, 'Content-Type: text/plain'),
  'sitemap-of-itself': sized(
    `<sitemapindex>${'<sitemap><loc>http://127.0.0.1:1/</loc></sitemap>'.repeat(5_000)}</sitemapindex>`,
    'Content-Type: text/xml',
  ),
  'sitemap-entities': sized(
    `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(1_000)}">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "&a;&a;">`).join('')}]><urlset><url><loc>&a19;</loc></url></urlset>`,
    'Content-Type: text/xml',
  ),
};

export interface HostilePeers {
  urls: string[];
  close(): void;
}

/** Starts the hostile web servers, all on one port of this machine. */
export async function startHostilePeers(): Promise<HostilePeers> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      const name = /^\w+ \/([\w.-]+)/.exec(bytes.toString('latin1'))?.[1] ?? '';
      (BEHAVIOURS[name] ?? reply('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'))(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urls: Object.keys(BEHAVIOURS).map((name) => `http://127.0.0.1:${port}/${name}`),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
