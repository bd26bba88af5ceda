import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { useApp } from '../support/app.js';
import { allOf } from '../support/http-server.js';

const app = useApp({ authMode: 'required' });

const RECORDS = 36;
const RECORD_BYTES = 250_000;
/** More than the system buffers; 40 of them are more than may wait. */
const PAGE_BYTES = RECORDS * RECORD_BYTES;

/** A key of a tenant whose page of conversations is large. */
async function makeTenant(tenantId: string): Promise<string> {
  const { key } = await app.makeKey({ scope: { tenantId } });
  const caller = app.trpc({ authorization: `Bearer ${key}` });
  const inputs = { text: 'x'.repeat(RECORD_BYTES) };
  for (let i = 0; i < RECORDS; i++)
    await caller.conversations.create.mutate({ scope: { tenantId, tenantUnitId: 'u' }, inputs });
  return key;
}

/** Requests the page, and waits for the first bytes of the answer, which is not read. */
async function askWithoutReading(key: string): Promise<Socket> {
  const { hostname, port } = new URL(app.address);
  const socket = net.connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const path = `/trpc/conversations.list?input=${encodeURIComponent(JSON.stringify({ pageSize: RECORDS }))}`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\nX-Api-Key: ${key}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('a tenant that does not read its answers loses its own connections, and no one else does', async () => {
  const [flood, other] = [await makeTenant('flood'), await makeTenant('other')];
  const slow = await askWithoutReading(other);
  const sockets: Socket[] = [];
  for (let i = 0; i < 40; i++) sockets.push(await askWithoutReading(flood));
  const lengths = await Promise.all(sockets.map(async (socket) => (await allOf(socket)).length));
  const isWhole = lengths.map((length) => length > PAGE_BYTES);
  expect(isWhole.at(0)).toBe(false);
  expect(isWhole.at(-1)).toBe(true);
  expect((await allOf(slow)).length).toBeGreaterThan(PAGE_BYTES);
});
