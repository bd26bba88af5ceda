import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FetchOptions, fetchUrl } from './fetch-url.js';

/** Hosts that the server was asked for. */
const asked: string[] = [];
const answer: http.RequestListener = (request, response) => {
  asked.push(request.headers.host ?? '');
  const target = new URL(request.url ?? '', 'http://x').searchParams.get('to');
  if (target) response.writeHead(302, { location: target }).end();
  else response.end('secret');
};
const server = http.createServer(answer);
const secure = https.createServer(
  {
    key: readFileSync('test/fixtures/tls/key.pem'),
    cert: readFileSync('test/fixtures/tls/certificate.pem'),
  },
  answer,
);
const listening = [server, secure];
let port = 0;
let securePort = 0;

beforeAll(async () => {
  await Promise.all(listening.map((one) => new Promise<void>((done) => one.listen(0, '127.0.0.1', done))));
  port = (server.address() as AddressInfo).port;
  securePort = (secure.address() as AddressInfo).port;
});

afterAll(() => {
  for (const one of listening) {
    one.closeAllConnections();
    one.close();
  }
});

const blocked = { name: 'FetchError', code: 'blocked_address', retryable: false };

async function get(url: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const { body } = await fetchUrl(url, { maxBytes: 1000, ...options });
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** A resolver that gives these answers, one after another. */
function resolver(...answers: string[][]): LookupFunction {
  return (_host, _options, callback) => {
    const addresses = (answers.shift() ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    callback(null, addresses);
  };
}

describe('never reached', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    'LOCALHOST',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    // Decimal, hexadecimal, octal and short forms.
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    // Digits and dots of other scripts, soft hyphens and percent signs.
    '１２７.０.０.１',
    '①②⑦.0.0.1',
    '127。0。0。1',
    'ⓛocalhost',
    'local\u00adhost',
    '%31%32%37.0.0.1',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    // NAT64, 6to4 and Teredo addresses of 127.0.0.1.
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
  ])('%s', async (host) => {
    await expect(get(`http://${host}:${port}/`)).rejects.toMatchObject(blocked);
    expect(asked).toEqual([]);
  });

  it.each([
    ['a zone', 'http://[fe80::1%25lo]/'],
    ['a user name', 'http://pages.test@127.0.0.1/'],
    ['a user name behind a backslash', 'http://user\\@127.0.0.1/'],
    ['an end of string', 'http://127.0.0.1%00.pages.test/'],
  ])('a host with %s', async (_what, url) => {
    await expect(get(url)).rejects.toMatchObject({ name: 'FetchError', retryable: false });
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['a private address among allowed ones', ['192.0.2.1', '127.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a link-local address with its zone', ['fe80::1%lo']],
    ['no address', []],
  ])('a name of %s', async (_what, addresses) => {
    const options = { lookup: resolver(addresses), allowHosts: ['192.0.2.0/24'] };
    const result = get(`http://name.test:${port}/`, options);
    await expect(result).rejects.toMatchObject(blocked);
    expect(asked).toEqual([]);
  });

  it('a private host that an allowed one redirects to', async () => {
    const target = `http://127.0.0.1:${port}/?to=${encodeURIComponent('http://127.0.0.2/')}`;
    await expect(get(target, { allowHosts: ['127.0.0.1'] })).rejects.toMatchObject(blocked);
    expect(asked.splice(0)).toEqual([`127.0.0.1:${port}`]);
  });
});

describe('a name that resolves differently the second time', () => {
  it('is connected to at the address that was checked', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const options = { allowHosts: ['127.0.0.0/8'], lookup: resolver(...answers) };
    expect(await get(`http://rebind.test:${port}/`, options)).toBe('secret');
    expect(asked.splice(0)).toEqual([`rebind.test:${port}`]);
  });

  it('is checked again at the next hop', async () => {
    const here = `http://rebind.test:${port}/`;
    const options = { allowHosts: ['127.0.0.0/31'], lookup: resolver(['127.0.0.1'], ['127.0.0.2']) };
    await expect(get(`${here}?to=${encodeURIComponent(here)}`, options)).rejects.toMatchObject(blocked);
    expect(asked.splice(0)).toEqual([`rebind.test:${port}`]);
  });
});

describe('allowed on purpose', () => {
  const lookup = () => resolver(['127.0.0.1']);

  it.each([
    ['a host', '127.0.0.1', '127.0.0.1'],
    ['a host and its port', '127.0.0.1', '127.0.0.1:PORT'],
    ['a name', 'wiki.corp.test', 'wiki.corp.test'],
    ['a name in capitals', 'wiki.corp.test', 'WIKI.corp.test'],
    ['a name with the dot of the root', 'wiki.corp.test.', 'wiki.corp.test'],
    ['a name of other letters', 'bücher.test', 'bücher.test'],
    ['all names under a domain', 'wiki.corp.test', '*.corp.test'],
    ['a range for an address', '127.0.0.1', '127.0.0.0/8'],
    ['a range for a name', 'wiki.corp.test', '127.0.0.1/32'],
  ])('%s', async (_what, host, entry) => {
    const allowHosts = [entry.replace('PORT', String(port))];
    expect(await get(`http://${host}:${port}/`, { allowHosts, lookup: lookup() })).toBe('secret');
    asked.length = 0;
  });

  it.each([
    ['the same host on another port', '127.0.0.1', '127.0.0.1:1'],
    ['another host', '127.0.0.1', '127.0.0.2'],
    ['the domain itself', 'corp.test', '*.corp.test'],
    ['a name that only ends alike', 'evilcorp.test', '*.corp.test'],
    ['an address outside of the range', '127.0.0.1', '127.0.1.0/24'],
    ['an address of the other family', '127.0.0.1', 'fc00::/7'],
  ])('not %s', async (_what, host, entry) => {
    const result = get(`http://${host}:${port}/`, { allowHosts: [entry], lookup: lookup() });
    await expect(result).rejects.toMatchObject(blocked);
    expect(asked).toEqual([]);
  });
});

/** Fetches in a process that trusts the certificate of this test, from whatever name; gives the body or the error's code. */
async function fetchTrusting(origin: string): Promise<string> {
  const program = `
    import { fetchUrl } from ${JSON.stringify(pathToFileURL('dist/src/outbound-http/fetch-url.js').href)};
    const { hostname } = new URL(process.argv[1]);
    const lookup = (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    try {
      const { body } = await fetchUrl(process.argv[1], { maxBytes: 1000, allowHosts: [hostname], lookup });
      for await (const part of body) process.stdout.write(part);
    } catch (error) {
      process.stdout.write(String(error.code));
    }`;
  const args = ['--input-type=module', '-e', program, `${origin}:${securePort}/`];
  const env = { NODE_EXTRA_CA_CERTS: 'test/fixtures/tls/certificate.pem' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout;
}

describe('over TLS', () => {
  it.each(['https://localhost', 'https://localhost.', 'https://127.0.0.1'])('%s', async (origin) => {
    expect(await fetchTrusting(origin)).toBe('secret');
    expect(asked.splice(0)).toEqual([`${origin.slice('https://'.length)}:${securePort}`]);
  });
});

describe('TLS errors', () => {
  const tls = { name: 'FetchError', code: 'tls', retryable: false };

  it('for an untrusted certificate', async () => {
    const result = get(`https://localhost:${securePort}/`, { allowHosts: ['localhost'] });
    await expect(result).rejects.toMatchObject(tls);
  });

  it('for a certificate of another name', async () => {
    expect(await fetchTrusting('https://other.test')).toBe('tls');
  });

  it('for a server that does not speak TLS', async () => {
    const result = get(`https://localhost:${port}/`, { allowHosts: ['localhost'] });
    await expect(result).rejects.toMatchObject(tls);
  });
});
