import net from 'node:net';
import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, DOCUMENTS } from './support/rest-client.js';

const app = useApp({ maxJsonBytes: 500_000, maxUploadBytes: 1_000_000 });

const FORM_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const PIECE = 'x'.repeat(65_536);
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Sends a body without end until the server closes the connection, and returns the statuses of what it answered. */
async function sendWithoutEnd(target: string, type: string, start: string): Promise<string[]> {
  const { hostname, port } = new URL(app.address);
  const socket = net.connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => {});
  socket.write(
    `POST ${target} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write(chunk(start));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  while (!socket.destroyed) {
    if (!socket.write(chunk(PIECE)))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);
}

test.each([
  ['JSON over REST', CONVERSATIONS, 'application/json', '{"topic":"'],
  ['JSON over tRPC', '/trpc/conversations.create', 'application/json', '{"topic":"'],
  ['a file over tRPC', '/trpc/files.upload', 'application/octet-stream', 'text'],
  ['a form', `${DOCUMENTS}/upload?tenantId=acme`, 'multipart/form-data; boundary=b', FORM_START],
])('a body without end is refused, and its connection closed: %s', async (_name, target, type, start) => {
  expect(await sendWithoutEnd(target, type, start)).toEqual(['413']);
});

test('a file over tRPC may be larger than JSON, also where its length is announced', async () => {
  const { status } = await fetch(`${app.address}/trpc/files.upload`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.alloc(800_000, 'x'),
  });
  expect(status).toBe(200);
});

test('a file over tRPC that is announced to be too large is refused before it is read', async () => {
  const { hostname, port } = new URL(app.address);
  const socket = net.connect(Number(port), hostname);
  socket.write(
    `POST /trpc/files.upload HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/octet-stream\r\nContent-Length: 99999999999\r\n\r\n`,
  );
  let answer = '';
  for await (const data of socket) answer += data;
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
});
