import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countReachable } from '../../test/support/count-reachable.js';
import { type FetchOptions, type FetchResult, fetchUrl } from './fetch-url.js';

const server = http.createServer(answer);
let base = '';
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  base = `http://127.0.0.1:${port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  const [path, argument = ''] = (request.url ?? '').split('?');
  switch (path) {
    case '/report.txt':
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      response.setHeader('Last-Modified', 'Wed, 21 Oct 2015 07:28:00 GMT');
      response.setHeader('ETag', '"v1"');
      if (request.headers['if-none-match'] === '"v1"' || request.headers['if-modified-since']) {
        response.removeHeader('Content-Type');
        response.removeHeader('Last-Modified');
        return void response.writeHead(304).end();
      }
      return void response.end('hello');
    case '/echo':
      response.write(`${request.method} ${request.headers['x-sign'] ?? '-'} `);
      return void request.pipe(response);
    case '/download':
      response.setHeader(
        'Content-Disposition',
        `attachment; filename="x.pdf"; filename*=UTF-8''%E6%96%87.pdf`,
      );
      return void response.end('x');
    case '/redirect':
      return void response.writeHead(302, { Location: decodeURIComponent(argument) }).end();
    case '/loop':
      return void response.writeHead(307, { Location: '/loop' }).end();
    case '/hops': {
      const left = Number(argument);
      if (left === 0) return void response.end('there');
      return void response.writeHead(302, { Location: `/hops?${left - 1}` }).end();
    }
    case '/status':
      return void response.writeHead(Number(argument)).end();
    case '/zeros':
      return void response
        .writeHead(200, { 'Content-Encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(100_000)));
    case '/endless': {
      const timer = setInterval(() => response.write(Buffer.alloc(1000)), 1);
      return void response.on('close', () => clearInterval(timer));
    }
    case '/broken':
      response.writeHead(200, { 'Content-Length': '100' }).write('only this');
      return void setTimeout(() => response.destroy(), 20);
    case '/silent':
      return;
    default:
      response.writeHead(404).end();
  }
}

const open = (path: string, options: Partial<FetchOptions> = {}) =>
  fetchUrl(base + path, { maxBytes: 10_000, allowHosts: ['127.0.0.1'], ...options });

async function read({ body }: FetchResult): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('the result', () => {
  it('the body and metadata from headers', async () => {
    const { body, ...facts } = await open('/report.txt');
    expect((await read({ body, ...facts })).toString()).toBe('hello');
    expect(facts).toEqual({
      mediaType: 'text/plain; charset=utf-8',
      fileName: 'report.txt',
      lastModified: new Date('2015-10-21T07:28:00Z'),
      etag: '"v1"',
      httpLastModified: 'Wed, 21 Oct 2015 07:28:00 GMT',
      finalUrl: `${base}/report.txt`,
      notModified: false,
      serverTime: expect.any(Date),
    });
  });

  it('the name in the header before that in the URL', async () => {
    const source = await open('/download');
    expect(source.fileName).toBe('文.pdf');
    await read(source);
  });

  it('what a redirect leads to', async () => {
    const source = await open('/redirect?%2Freport.txt');
    expect(source.finalUrl).toBe(`${base}/report.txt`);
    expect((await read(source)).toString()).toBe('hello');
  });
});

it.each([
  'ftp://host/file',
  'file:///etc/passwd',
  'http://user:secret@host/',
  'not a url',
  '/redirect?file%3A%2F%2F%2Fx',
])('refuses %s', async (url) => {
  const target = url.startsWith('/') ? base + url : url;
  const result = fetchUrl(target, { maxBytes: 10, allowHosts: ['127.0.0.1'] });
  await expect(result).rejects.toMatchObject({ code: 'invalid_url', retryable: false });
});

describe('conditional requests', () => {
  const known = { etag: '"v1"', httpLastModified: 'Wed, 21 Oct 2015 07:28:00 GMT' };

  it.each([
    ['its tag', { etag: known.etag }],
    ['its date', { httpLastModified: known.httpLastModified }],
  ])('does not come again while the server knows %s', async (_how, half) => {
    const { body, ...facts } = await open('/report.txt', { validators: half });
    expect(facts).toEqual({
      finalUrl: `${base}/report.txt`,
      fileName: 'report.txt',
      etag: known.etag,
      notModified: true,
      serverTime: expect.any(Date),
    });
    expect(await read({ body, ...facts })).toHaveLength(0);
  });

  it('comes in its new version', async () => {
    const source = await open('/report.txt', { validators: { etag: '"v0"' } });
    expect(source).toMatchObject({ notModified: false, etag: '"v1"' });
    expect((await read(source)).toString()).toBe('hello');
  });

  it.each(['"→"', '"a\nb"', ''])('are not sent with an invalid ETag %j', async (etag) => {
    expect((await read(await open('/report.txt', { validators: { etag } }))).toString()).toBe('hello');
  });

  it('reject an unexpected 304 or 206', async () => {
    await expect(open('/status?304')).rejects.toMatchObject({ code: 'http_status' });
    // A part that was not asked for.
    await expect(open('/status?206')).rejects.toMatchObject({ code: 'http_status' });
  });
});

describe('other requests', () => {
  const echo = (path: string, options: Partial<FetchOptions> = {}) =>
    open(path, { method: 'POST', requestBody: 'ping', headers: { 'x-sign': 'abc' }, ...options });

  it('can be sent, with a body and headers', async () => {
    expect((await read(await echo('/echo'))).toString()).toBe('POST abc ping');
  });

  it('are not redirected', async () => {
    await expect(echo('/redirect?%2Fecho')).rejects.toMatchObject({ code: 'http_status' });
  });

  it('show their headers to no other server', async () => {
    const elsewhere = `/redirect?${encodeURIComponent(`http://localhost:${port}/echo`)}`;
    const source = await open(elsewhere, {
      headers: { 'x-sign': 'abc' },
      allowHosts: ['127.0.0.1', 'localhost'],
    });
    expect((await read(source)).toString()).toBe('GET - ');
  });
});

describe('limits', () => {
  it('declared size', async () => {
    await expect(open('/report.txt', { maxBytes: 4 })).rejects.toMatchObject({
      code: 'too_large',
      retryable: false,
    });
  });

  it('size that only shows on the way', async () => {
    await expect(read(await open('/endless'))).rejects.toMatchObject({ code: 'too_large' });
  });

  it('size after decompression', async () => {
    await expect(read(await open('/zeros'))).rejects.toMatchObject({ code: 'too_large' });
    expect((await read(await open('/zeros', { maxBytes: 100_000 }))).length).toBe(100_000);
  });

  it('redirects, to five', async () => {
    expect((await read(await open('/hops?5'))).toString()).toBe('there');
    for (const path of ['/hops?6', '/loop'])
      await expect(open(path)).rejects.toMatchObject({ code: 'too_many_redirects', retryable: false });
  });

  it('time, before and during the body', async () => {
    const timeout = { code: 'timeout', retryable: true };
    await expect(open('/silent', { timeoutMs: 50 })).rejects.toMatchObject(timeout);
    const slow = await open('/endless', { timeoutMs: 2_000, maxBytes: 1e9 });
    await expect(read(slow)).rejects.toMatchObject(timeout);
  });
});

describe('failures', () => {
  it.each([
    [404, false],
    [410, false],
    [429, true],
    [503, true],
  ])('status %i, retryable: %s', async (status, retryable) => {
    await expect(open(`/status?${status}`)).rejects.toMatchObject({ code: 'http_status', retryable });
  });

  it('a body that breaks off', async () => {
    await expect(read(await open('/broken'))).rejects.toMatchObject({ name: 'FetchError', retryable: true });
  });

  it('a server that is not there', async () => {
    const result = fetchUrl('http://127.0.0.1:1/', { maxBytes: 10, allowHosts: ['127.0.0.1'] });
    await expect(result).rejects.toMatchObject({ code: 'unreachable', retryable: true });
  });

  it("the caller's own reason when it aborts", async () => {
    const reason = new Error('stop');
    await expect(open('/silent', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const source = await open('/endless', { signal: abort.signal, maxBytes: 1e9 });
    setTimeout(() => abort.abort(reason), 20);
    await expect(read(source)).rejects.toBe(reason);
  });
});

it("leaves nothing in the caller's signal", async () => {
  const { signal } = new AbortController();
  const validators = { etag: '"v1"' };
  const fetchAll = async () => {
    await read(await open('/report.txt', { signal }));
    await open('/report.txt', { signal, validators });
    await open('/status?503', { signal }).catch(() => {});
    await read(await open('/broken', { signal })).catch(() => {});
    return countReachable(signal);
  };
  const kept = await fetchAll();
  expect(await fetchAll()).toBe(kept);
  signal.addEventListener('abort', () => {});
  expect(countReachable(signal)).toBeGreaterThan(kept);
});
