import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { connectMcp, VERSIONS } from '../support/mcp-client.js';
import { LECTERN } from '../support/run-command.js';

/* The built command between a client and a running server. */

const app = useApp({ authMode: 'required' });

const start = (url: string, key?: string) => ({
  command: process.execPath,
  args: [LECTERN, 'mcp', '--url', url],
  env: { ...(key && { LECTERN_KEY: key }) },
});

/** Runs the command on an input that ends. */
async function run(input: string, args: string[], key?: string) {
  const child = spawn(process.execPath, [LECTERN, 'mcp', ...args], {
    env: { PATH: process.env.PATH, LECTERN_KEY: key },
  });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  child.stdin.end(input);
  const [status] = await once(child, 'close');
  const lines = (await stdout).split('\n').filter(Boolean);
  return { status, answers: lines.map((line) => JSON.parse(line)), stderr: await stderr };
}

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

test.each(VERSIONS)('the official client of %s lists, adds, finds and reads', async (version) => {
  const { key } = await app.makeKey({ scope: { tenantId: version } });
  const client = await connectMcp(new StdioClientTransport(start(app.address, key)), version);
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  expect((await client.listTools()).tools).toHaveLength(7);
  const added = { name: 'Öffnungszeiten', text: 'Wir öffnen um neun.', datasets: ['hours'] };
  const { structuredContent } = await client.callTool({ name: 'add_document', arguments: added });
  await app.settle();
  const { id } = structuredContent as { id: string };
  const found = await client.callTool({ name: 'search', arguments: { query: 'öffnen' } });
  expect(found.structuredContent).toMatchObject({ results: [{ id, text: added.text }] });
  const { contents } = await client.readResource({ uri: `lectern://documents/${id}` });
  expect(contents).toMatchObject([{ text: added.text }]);
  await expect(client.readResource({ uri: 'lectern://documents/ü' })).rejects.toThrow('Resource not found');
  await client.close();
});

test('answers what was asked before the input ended', async () => {
  const { key } = await app.makeKey();
  const input = [
    '',
    'nonsense\n',
    line({ method: 'notifications/initialized' }),
    line({ id: 'a', method: 'ping' }),
  ];
  expect(await run(input.join('\n'), ['--url', `${app.address}/mcp`], key)).toEqual({
    status: 0,
    answers: expect.arrayContaining([
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'This is no JSON.' } },
      { jsonrpc: '2.0', id: 'a', result: {} },
    ]),
    stderr: '',
  });
});

test('the client is given what the server refuses', async () => {
  const { answers } = await run(line({ id: 1, method: 'ping' }), ['--url', app.address], 'nonsense');
  const message = 'A valid API key is needed, in X-Api-Key or as a bearer token.';
  expect(answers).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32_000, message } }]);
});

test('a server that is none is named, on standard error too', async () => {
  const other = createServer((_, res) => res.writeHead(302, { location: '/login' }).end('<html>'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const ask = () => run(line({ id: 1, method: 'ping' }), ['--url', url]);
  const answer = (message: string) => ({
    status: 0,
    answers: [{ jsonrpc: '2.0', id: 1, error: { code: -32_000, message } }],
    stderr: `${message}\n`,
  });
  expect(await ask()).toEqual(answer(`${url} answered 302. Is --url the address of a Lectern server?`));
  other.close();
  await once(other, 'close');
  const port = new URL(url).port;
  expect(await ask()).toEqual(answer(`${url} does not answer: connect ECONNREFUSED 127.0.0.1:${port}`));
});

test.each<[string[], string]>([
  [[], 'Name the server: --url https://lectern.example.'],
  [['--url', 'lectern.example'], '--url must begin with http:// or https://, not "lectern.example".'],
  [
    ['--url', 'https://user:secret@lectern.example'],
    '--url must have no user and password: the API key is in LECTERN_KEY.',
  ],
  [['--key', 'x'], "Unknown option '--key'."],
])('wrong use is explained: %j', async (args, message) => {
  expect(await run('', args)).toEqual({
    status: 2,
    answers: [],
    stderr: expect.stringMatching(
      new RegExp(`^${message.replace(/[.?]/g, '\\$&')}.*\nSee: lectern mcp --help\n$`),
    ),
  });
});
