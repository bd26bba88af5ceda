import { readdir } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../../src/logging/log.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, createRestClient, DOCUMENTS, SEARCH } from './support/rest-client.js';

const ERROR = 50;

const lines: { level: number; msg: string; requestId?: string }[] = [];
const log = createLog({
  level: 'debug',
  destination: { write: (line) => void lines.push(JSON.parse(line)) },
});
const app = useApp({}, { log });

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FORM = [
  field('documentType', 'UnstructuredFile'),
  field('tenantId', 'acme'),
  field('tenantUnitId', 'sales'),
  field('datasetIds', '[]'),
  `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${'text '.repeat(100_000)}`,
].join('');
const MULTIPART = 'Content-Type: multipart/form-data; boundary=b';
const OCTETS = 'Content-Type: application/octet-stream';
const JSON_TYPE = 'Content-Type: application/json';
const GZIP_HEAD = Buffer.from('1f8b0800000000000003', 'hex').toString('latin1');
const progress = encodeURIComponent(JSON.stringify({ scope: { tenantId: 'acme' }, documentIds: ['x'] }));

const suggestion = encodeURIComponent(
  JSON.stringify({ scope: { tenantId: 'acme', tenantUnitId: 'sales' }, datasetIds: ['faq'], text: 'tex' }),
);

/** What has come of a request when its client leaves. */
const BROKEN_OFF: [string, string, string[], string][] = [
  ['a form', `POST ${DOCUMENTS}/upload`, [MULTIPART], FORM],
  ['a form that has only begun', `POST ${DOCUMENTS}/upload`, [MULTIPART], '--b\r\nContent-Dis'],
  ['a file', 'POST /trpc/files.upload', [OCTETS], 'text '.repeat(100_000)],
  ['JSON', `POST ${DOCUMENTS}?tenantId=acme`, [JSON_TYPE], '{"tenantId":"acme"'],
  ['JSON of a call', 'POST /trpc/documents.create', [JSON_TYPE], '{"scope":'],
  ['JSON of Dify', 'POST /integrations/dify/retrieval', [JSON_TYPE], '{"query":'],
  ['a message of MCP', 'POST /mcp', [JSON_TYPE], '{"jsonrpc":'],
  ['packed JSON', `POST ${DOCUMENTS}?tenantId=acme`, [JSON_TYPE, 'Content-Encoding: gzip'], GZIP_HEAD],
  ['what goes nowhere', 'POST /nowhere', [JSON_TYPE], '{"a":'],
];
/** Requests that are whole, whose clients do not wait for the answer. */
const SENT: [string, string, string[], string][] = [
  ['a list', `GET ${CONVERSATIONS}?tenant_id=acme`, [], ''],
  ['a call', 'GET /trpc/conversations.list?input={}', [], ''],
  ['a suggestion', `GET /trpc/chunks.suggest?input=${suggestion}`, [], ''],
  ['a stream', `GET /trpc/documents.progress?input=${progress}`, ['Accept: text/event-stream'], ''],
  [
    'a search',
    `POST ${SEARCH}?tenantId=acme`,
    [JSON_TYPE],
    '{"tenant_id":"acme","tenant_unit_id":"sales","dataset_ids":["faq"],"query":"text"}',
  ],
  [
    'a retrieval of Dify',
    'POST /integrations/dify/retrieval?tenantId=acme',
    [JSON_TYPE],
    '{"knowledge_id":"sales/faq","query":"text","retrieval_setting":{}}',
  ],
  ['a list of vector stores', 'GET /integrations/openai/v1/vector_stores?tenantId=acme', [], ''],
  [
    'a call of a tool',
    'POST /mcp?tenantId=acme&tenantUnitId=sales',
    [JSON_TYPE, 'Accept: application/json, text/event-stream'],
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"text"}}}',
  ],
  ['the reference', 'GET /docs/swagger-ui-bundle.js', [], ''],
];

const framings: Record<string, (head: string, body: string) => string> = {
  announced: (head, body) => `${head}Content-Length: 50000000\r\n\r\n${body}`,
  chunked: (head, body) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(body, 'latin1').toString(16)}\r\n${body}\r\n`,
  whole: (head, body) => `${head}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`,
};
const ends: Record<string, (socket: net.Socket) => void> = {
  closes: (socket) => socket.destroy(),
  resets: (socket) => socket.resetAndDestroy(),
};

const cases = Object.keys(ends).flatMap((end) => [
  ...BROKEN_OFF.flatMap((one) => ['announced', 'chunked'].map((framing) => ({ end, framing, one }))),
  ...SENT.map((one) => ({ end, framing: 'whole', one })),
]);

test.each(cases)('a client that $end in the middle of $one.0 ($framing) is no error', async (given) => {
  const [, line, headers, body] = given.one;
  for (const isHeard of [false, true]) {
    const requestId = `leaving-${lines.length}`;
    const { port, hostname } = new URL(app.address);
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => {});
    const head = `${[`${line} HTTP/1.1`, 'Host: localhost', `X-Request-Id: ${requestId}`, ...headers].join('\r\n')}\r\n`;
    const text = framings[given.framing]?.(head, body) ?? '';
    await new Promise<void>((resolve) => socket.write(text, 'latin1', () => resolve()));
    // Once at once, and once when the server has had time to begin.
    if (isHeard) await app.get('/healthz');
    ends[given.end]?.(socket);
  }
  await createRestClient(app).call(200, 'GET', CONVERSATIONS);
});

test('leaks nothing', async () => {
  const { fileId } = await app.trpc().files.upload.mutate(new Blob(['whole']));
  await app.trpc().files.discard.mutate({ fileId });
  const files = async () =>
    (await readdir(path.join(app.dataDir, 'files'), { recursive: true, withFileTypes: true })).filter(
      (file) => file.isFile(),
    );
  await expect.poll(files).toEqual([]);
  expect(lines.filter(({ level }) => level >= ERROR)).toEqual([]);
  expect(lines.map(({ msg }) => msg)).toContain('request cut off');
  expect(lines.map(({ msg }) => msg)).toContain('a client left before its answer');
});
