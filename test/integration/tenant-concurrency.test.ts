import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, createRestClient, externalPath, TENANT, TENANT_UNIT } from './support/rest-client.js';

const app = useApp();
const { call } = createRestClient(app);

test('blocked writes of one tenant do not exhaust the connection pool', async () => {
  const externalId = 'contested';
  const upsert = () =>
    app.request('PUT', externalPath(externalId), { query: TENANT, body: { externalId, ...TENANT_UNIT } });
  const lock = JSON.stringify([TENANT_UNIT.tenantId, TENANT_UNIT.tenantUnitId, externalId]);
  const waiting = await app.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
    const upserts = Array.from({ length: 40 }, upsert);
    for (let i = 0; i < 20; i++) {
      await call(201, 'POST', CONVERSATIONS, { query: { tenant_id: 'zenith' } });
      await call(200, 'GET', CONVERSATIONS, { query: { tenant_id: 'acme' } });
    }
    return { upserts };
  });
  const answers = await Promise.all(waiting.upserts);
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
});
