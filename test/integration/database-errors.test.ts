import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, DOCUMENTS, TENANT, TENANT_UNIT } from './support/rest-client.js';
import { startBeside } from './support/start-beside.js';

/* What PostgreSQL says when it cannot do what is asked, though nothing is wrong with that. */

const app = useApp();
const { createDocument, getDocument } = createRestClient(app);

const CODES = {
  '08006': 'connection failure',
  '25006': 'read-only',
  '25P03': 'idle in transaction',
  '25P04': 'transaction timeout',
  '40001': 'serialization failure',
  '40P01': 'deadlock',
  '53100': 'disk full',
  '53200': 'out of memory',
  '53300': 'too many connections',
  '53400': 'configuration limit',
  '55P03': 'lock not available',
  '57014': 'statement timeout',
  '57P01': 'shutdown',
  '57P03': 'starting up',
  '58030': 'I/O error',
};
const codes = Object.entries(CODES);

/** Has each new row of a table fail with the code that is named in a column of it. A cluster has no triggers on such tables. */
async function failBy(column: string, table: string): Promise<void> {
  await sql`
    create or replace function fail(text text) returns boolean language plpgsql as $$
      begin
        if text like '%code _____%' then
          raise exception 'It cannot be done.' using errcode = substring(text from 'code (.....)');
        end if;
        return true;
      end $$`.execute(app.db);
  await sql`alter table ${sql.table(table)} add constraint fails check (fail(${sql.ref(column)})) not valid`.execute(
    app.db,
  );
}
const heal = (table: string) => sql`alter table ${sql.table(table)} drop constraint fails`.execute(app.db);

test.each(codes)('a request that meets %s (%s) gets 503, and works when it is over', async (code) => {
  const body = { ...TENANT_UNIT, documentType: 'UnstructuredFile', documentName: `code ${code}` };
  await failBy('document_name', 'documents');
  const refused = await app.request('POST', DOCUMENTS, { query: TENANT, body });
  await heal('documents');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(refused.body.detail).toMatchObject([{ type: 'unavailable', loc: [] }]);
  expect((await app.request('POST', DOCUMENTS, { query: TENANT, body })).status).toBe(200);
});

test('documents whose chunks cannot be stored meanwhile use up no attempt', async () => {
  const outages = codes.filter(([code]) => code !== '57014');
  await failBy('content', 'chunks');
  const ids = await Promise.all(
    outages.map(
      async ([code]) => (await createDocument({ documentContent: `In spite of code ${code}.` })).id,
    ),
  );
  const jobs = () => app.db.selectFrom('processingJobs').select(['attempts', 'outages', 'deaths']).execute();
  await waitFor(async () => (await jobs()).every(({ outages }) => outages > 0), { what: 'all to be tried' });
  expect(await jobs()).toEqual(outages.map(() => ({ attempts: 0, outages: expect.any(Number), deaths: 0 })));
  await heal('chunks');
  await sql`update processing_jobs set next_attempt_time = now()`.execute(app.db);
  await app.settle();
  for (const id of ids) expect(await getDocument(id)).toMatchObject({ status: 'ready' });
});

describe('a user who may not connect any more', () => {
  const role = `lectern_limited_${randomBytes(4).toString('hex')}`;
  const admin = () => connectUnscoped(app.databaseUrl, { max: 1 });
  const owner = { drop: async () => {} };
  afterAll(() => owner.drop());

  test('gets 503 until there are connections again', async () => {
    const { pool, close } = admin();
    await pool.query(`create role ${role} login superuser password 'x'`);
    await pool.query(`create database ${role} owner ${role}`);
    await pool.query(`alter role ${role} nosuperuser createrole`);
    owner.drop = async () => {
      const { rows } = await tenants.pool.query<{ role: string }>('select tenant_role() as role');
      await tenants.close();
      await pool.query(`drop database ${role} with (force)`);
      await pool.query(`drop role ${rows[0]?.role}, ${role}`);
      await close();
    };
    const url = new URL(app.databaseUrl);
    url.pathname = `/${role}`;
    const tenants = connectUnscoped(url.href, { max: 1 });
    Object.assign(url, { username: role, password: 'x' });
    const limited = await startBeside({ databaseUrl: url.href, dataDir: app.dataDir }, {});
    const get = async (path: string) => {
      const answer = await fetch(limited.address + path);
      return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
    };
    const list = `${DOCUMENTS}?tenantId=acme`;
    expect(await get(list)).toMatchObject({ status: 200 });
    await pool.query(`alter role ${role} connection limit 0`);
    await pool.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
    await expect.poll(() => get('/readyz')).toEqual({ status: 503, retryAfter: '2' });
    expect(await get(list)).toEqual({ status: 503, retryAfter: '2' });
    await pool.query(`alter role ${role} connection limit -1`);
    await expect.poll(() => get('/readyz')).toMatchObject({ status: 200 });
    expect(await get(list)).toMatchObject({ status: 200 });
    await limited.app.close();
  });
});
