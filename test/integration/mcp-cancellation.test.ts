import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { useApp } from '../support/app.js';
import { blockedStatements } from '../support/blocked-statements.js';

// No statement ends by itself before a test gives up.
const app = useApp({ databasePools: { ...readConfig({}).databasePools, statementTimeoutMs: 600_000 } });
const TENANT = { tenantId: 'acme' };
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const FORMER = {
  headers: { 'mcp-protocol-version': '2025-11-25' },
  params: {},
};
const LATEST = {
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

const blockedOn = async (table: string) =>
  (await blockedStatements(app.db)).filter((query) => query.includes(table));

/** Calls a tool, and leaves when its statement waits for a locked table. */
async function leave(
  { headers, params }: typeof FORMER | typeof LATEST,
  tool: { name: string; arguments: object },
  table: string,
) {
  const leaving = new AbortController();
  const answer = fetch(`${app.address}/mcp?tenantId=acme&tenantUnitId=sales`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers, 'mcp-name': tool.name },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...tool, ...params } }),
    signal: leaving.signal,
  }).catch((error: Error) => error.name);
  await expect.poll(() => blockedOn(table)).toHaveLength(1);
  leaving.abort();
  expect(await answer).toBe('AbortError');
}

const LIST = { name: 'list_conversations', arguments: {} };

test.each([
  ['2025-11-25', FORMER],
  ['2026-07-28', LATEST],
])('PostgreSQL cancels what a tool reads when its client leaves (%s)', async (_, protocol) => {
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table conversations in access exclusive mode`.execute(tx);
    await leave(protocol, LIST, 'conversations');
    await expect.poll(() => blockedOn('conversations')).toEqual([]);
  });
});

test('what a tool has begun to write is written', async () => {
  const args = { name: 'Returns', text: 'Goods can be returned.', datasets: ['handbook'] };
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table documents, conversations in access exclusive mode`.execute(tx);
    await leave(LATEST, { name: 'add_document', arguments: args }, 'documents');
    // A read that is left later is cancelled; the write still waits.
    await leave(LATEST, LIST, 'conversations');
    await expect.poll(() => blockedOn('conversations')).toEqual([]);
    expect(await blockedOn('documents')).toHaveLength(1);
  });
  const { documents } = app.trpc();
  const named = async () =>
    (await documents.list.query({ scope: TENANT })).items.map(({ documentName }) => documentName);
  await expect.poll(named).toEqual(['Returns']);
});
