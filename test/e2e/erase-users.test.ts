import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataDir, REMOVAL } from '../../src/cli/shared/data-dir.js';
import { findText } from '../integration/support/find-text.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { createEmptyDatabase } from '../support/postgres.js';
import { startProgram } from '../support/run-command.js';
import { startServerProcess, useServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

const scope = { tenantId: 'acme' };
const USER = 'alice-7391';
type Db = ReturnType<typeof connectUnscoped>['db'];

const expectNothing = (db: Db) => expect.poll(() => findText(db, USER), { timeout: 60_000 }).toEqual([]);

describe('a server that is killed while it erases a user', () => {
  const server = useServerProcess();
  const CONVERSATIONS = 6_000;

  test('goes on after each start, until nothing is left', async () => {
    await server.start();
    await sql`
      insert into conversations (id, tenant_id, tenant_unit_id, topic, agent_id, user_id, agent_mode, extend_properties, status,
        created_time, updated_time, created_by, updated_by)
      select 'c' || lpad(i::text, 5, '0'), 'acme', 'sales', case when i % 3 = 0 then 'Of Bob' else 'About alice-7391' end, 'agent',
        case when i % 3 = 0 then 'bob' else 'alice-7391' end, 'chat', '{}', 'running', now(), now(), 'alice-7391', 'bob'
      from generate_series(1, ${CONVERSATIONS}::int) as i
    `.execute(server.db);
    await sql`
      insert into list_changes (tenant_id, tenant_unit_id, list, status, agent_id, from_time, to_time, count)
      select tenant_id, tenant_unit_id, 'conversations', status, agent_id, created_time, created_time, 1 from conversations
    `.execute(server.db);
    await sql`
      insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from, content,
        requested_time, sequence, feedback, feedback_by, feedback_time)
      select c.id || n, 'acme', 'sales', c.id, 'agent', case when n = 1 then 'alice-7391' else 'bob' end, 'run', 'user',
        case when n = 1 then 'I am alice-7391.' else 'Hello.' end, now(), n, 'up', 'alice-7391', now()
      from conversations as c, generate_series(1, 2) as n
    `.execute(server.db);
    await sql`
      insert into audit_events (tenant_id, action, subject_type, subject_id, user_id, address, after)
      select 'acme', 'conversations.create', 'conversation', id, 'alice-7391', '192.0.2.1', '{"topic":"About alice-7391"}'
      from conversations where user_id = 'alice-7391'
    `.execute(server.db);
    const { id: erasureId } = await server.trpc.users.erase.mutate({ scope, userId: USER });
    const read = () => server.trpc.users.erasure.query({ scope, erasureId });
    const placeOf = async () => {
      const { rows } = await sql<{ place: string; lastKey: string[] | null }>`
        select place, last_key from user_erasures
      `.execute(server.db);
      return JSON.stringify(rows[0]);
    };
    let kills = 0;
    for (let before = await placeOf(); (await read()).finishedTime === null; before = await placeOf()) {
      await waitFor(async () => (await placeOf()) !== before, { what: 'a step' });
      await server.kill();
      kills += 1;
      await server.start();
      if (kills === 6) break;
    }
    expect(kills).toBeGreaterThan(3);
    await expect.poll(read, { timeout: 120_000 }).toMatchObject({
      finishedTime: expect.any(String),
      createdBy: null,
      held: 0,
      // Each is counted in the transaction that deletes it.
      erased: {
        conversations: 4_000,
        messages: 2_000,
        feedback: 2_000,
        auditEvents: 4_000,
      },
    });
    await expectNothing(server.db);
    expect((await server.trpc.conversations.list.query({ scope })).totalCount).toBe(2_000);
    const { rows } = await sql<{ events: number; ids: number; named: number }>`
      select count(*) as events, count(distinct id) as ids, count(*) filter (where user_id like 'erased:%') as named
      from audit_events where action = 'conversations.create'
    `.execute(server.db);
    expect(rows).toEqual([{ events: 4_000, ids: 4_000, named: 4_000 }]);
  }, 600_000);
});

describe('a backup from before an erasure', () => {
  let work: string;
  const databases: { drop(): Promise<void> }[] = [];
  let storage: Awaited<ReturnType<typeof makeDataDir>>;

  beforeAll(async () => {
    work = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-erasures-'));
    storage = await makeDataDir('erasures');
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
    await storage?.remove();
    await rm(work, REMOVAL);
  });

  async function restoreAndServe(backup: string, place: { storage: string; args: string[] }): Promise<Db> {
    const database = await createEmptyDatabase();
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: await mkdtemp(path.join(work, 'data-')),
      STORAGE_URL: `file://${place.storage}`,
    };
    const restored = await startProgram(['restore', backup, ...place.args], env).ended;
    expect(restored).toMatchObject({ status: 0 });
    expect(restored.stdout).toContain('The next server erases users again: 2 later erasures.');
    const client = connectUnscoped(database.url, { max: 2 });
    databases.push({
      drop: async () => {
        await client.close();
        await database.drop();
      },
    });
    // The backup is from before.
    expect(await findText(client.db, USER)).toContain('conversations');
    const again = await startServerProcess(env);
    try {
      await expectNothing(client.db);
    } finally {
      await again.end('SIGTERM');
    }
    return client.db;
  }

  test('is restored without the user, from the same storage and from another', async () => {
    const files = path.join(storage.dataDir, 'files');
    const first = await createEmptyDatabase();
    databases.push(first);
    const env = { DATABASE_URL: first.url, DATA_DIR: storage.dataDir };
    const original = await startServerProcess(env);
    const headers = { 'content-type': 'application/json', 'x-user-id': USER };
    const post = async (procedure: string, input: object) => {
      const response = await fetch(`${original.address}/trpc/${procedure}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(input),
      });
      expect(response.status).toBe(200);
      return ((await response.json()) as { result: { data: { id: string } } }).result.data;
    };
    const unit = { ...scope, tenantUnitId: 'sales' };
    await post('conversations.create', { scope: unit, topic: 'Mine' });
    await post('labels.create', { scope, name: 'Urgent', color: '#ff0000' });
    const backup = path.join(work, 'backup');
    expect(await startProgram(['backup', '--to', backup], env).ended).toMatchObject({ status: 0 });
    await post('users.erase', { scope, userId: USER });
    await post('users.erase', { scope, userId: 'nobody' });
    const client = connectUnscoped(first.url, { max: 2 });
    await expectNothing(client.db);
    await client.close();
    await original.end('SIGTERM');

    const db = await restoreAndServe(backup, { storage: files, args: [] });
    const { rows } = await sql<{ createdBy: string | null }>`select created_by from labels`.execute(db);
    expect(rows).toEqual([{ createdBy: null }]);
    const other = path.join(work, 'other');
    await restoreAndServe(backup, { storage: other, args: ['--erasures-from', files] });
    // Its records have come along.
    await restoreAndServe(backup, { storage: other, args: [] });
  }, 600_000);
});
