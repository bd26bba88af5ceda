import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tenantTransaction } from '../../db/tenant-isolation/tenant-transaction.js';
import { maintainPartitions } from '../../src/services/audit/partitions/maintain.js';
import { readAuditPartitions } from '../../src/services/audit/partitions/read-partitions.js';
import { useApp } from '../support/app.js';
import { drain } from '../support/drain.js';
import { startProgram } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';
import { makePastMonths, monthFromNow, monthName } from './support/past-months.js';

const MONTHS = 6;
const tenantId = 'acme';
const scope = { tenantId };
const app = useApp();
const justBefore = (time: Date) => new Date(time.getTime() - 1);
const dateOf = (time: Date) => time.toISOString().slice(0, 10);

/** An event of another time, and the partition that it is in. */
async function addEvent(time: Date, fields: { subjectId?: string; tenantId?: string } = {}): Promise<string> {
  const row = {
    tenantId,
    tenantUnitId: 'unit',
    action: 'documents.update',
    subjectType: 'document' as const,
  };
  await app.db
    .insertInto('auditEvents')
    .values({ ...row, subjectId: 'document', ...fields, time, after: '{"title":"ä"}' })
    .execute();
  const { rows } = await sql<{ id: number }>`select max(id) as id from audit_events`.execute(app.db);
  for (const { name } of await readAuditPartitions(app.db)) {
    const found = await sql`select 1 from ${sql.table(name)} where id = ${rows[0]?.id}`.execute(app.db);
    if (found.rows.length > 0) return name;
  }
  return '';
}
const list = async (filter: object = {}) =>
  (await app.trpc().audit.list.query({ scope, pageSize: 100, ...filter })).items.map(({ time }) =>
    new Date(time).toISOString(),
  );
const startArchive = (...args: string[]) =>
  startProgram(['audit', 'archive', ...args], { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
const archive = (...args: string[]) => startArchive(...args).ended;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-archive-'));
  await makePastMonths(app.db, MONTHS);
});
afterEach(() => forget());
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('partitions', () => {
  test('are there for months ahead, and for any time before and after', async () => {
    const partitions = await readAuditPartitions(app.db);
    expect(partitions.at(-1)).toEqual({ name: 'audit_events_open', from: monthFromNow(3), to: null });
    expect(partitions[0]).toEqual({ name: 'audit_events_before', from: null, to: monthFromNow(-MONTHS) });
    for (const [index, { from }] of partitions.entries()) {
      if (index > 0) expect(from).toEqual(partitions[index - 1]?.to);
    }
  });

  test('take the events of their months, and lists go across them', async () => {
    const times = [
      new Date('1970-01-01T00:00:00Z'),
      justBefore(monthFromNow(-2)),
      monthFromNow(-2),
      justBefore(monthFromNow(0)),
      monthFromNow(0),
      monthFromNow(40),
    ];
    const names: string[] = [];
    for (const time of times) names.push(await addEvent(time));
    const nameOf = (months: number) => `audit_events_${monthName(monthFromNow(months))}`;
    expect(names).toEqual([
      'audit_events_before',
      nameOf(-3),
      nameOf(-2),
      nameOf(-1),
      nameOf(0),
      'audit_events_open',
    ]);
    const all = times.map((time) => time.toISOString()).reverse();
    expect(await list()).toEqual(all);
    expect(await list({ since: monthFromNow(-2).toISOString() })).toEqual(all.slice(0, 4));
    expect(await list({ until: monthFromNow(0).toISOString() })).toEqual(all.slice(2));
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(...(await list({ page, pageSize: 2 })));
    expect(pages).toEqual(all);
  });

  test('are reached by the tenant through their parent alone, each under row-level security', async () => {
    await addEvent(monthFromNow(-2));
    await addEvent(monthFromNow(-2), { tenantId: 'other' });
    const partitions = await readAuditPartitions(app.db);
    const { rows } = await sql`
      select relname::text as name, relrowsecurity as is_protected, (
        select array_agg(polname::text order by polname) from pg_policy where polrelid = c.oid) as policies, (
        select array_agg(privilege_type order by privilege_type) from aclexplode(relacl)
        where grantee = relowner and privilege_type in ('UPDATE', 'TRUNCATE', 'DELETE', 'INSERT', 'SELECT')) as rights
      from pg_class as c where relname like 'audit\\_events\\_%' and relispartition and relkind = 'r' order by 1
    `.execute(app.db);
    const names = partitions.map(({ name }) => name).sort();
    const [policies, rights] = [
      ['by_grants', 'one_tenant'],
      ['DELETE', 'INSERT', 'SELECT'],
    ];
    expect(rows).toEqual(names.map((name) => ({ name, isProtected: true, policies, rights })));
    const seen = await tenantTransaction(app.db, tenantId, (tx) =>
      sql`select distinct tenant_id from audit_events`.execute(tx),
    );
    expect(seen.rows).toEqual([{ tenantId }]);
    for (const { name } of partitions) {
      const direct = tenantTransaction(app.db, tenantId, (tx) =>
        sql`select from ${sql.table(name)}`.execute(tx),
      );
      await expect(direct).rejects.toThrow(/permission denied/);
    }
  });

  test('are made ahead by several servers at once, also where events are in the open one', async () => {
    await addEvent(monthFromNow(3));
    const clock = () => new Date(monthFromNow(4).getTime() + 86_400_000);
    const servers = Array.from({ length: 3 }, () =>
      drain(maintainPartitions(app.db, { keepMs: undefined, clock })),
    );
    await Promise.all(servers);
    const partitions = await readAuditPartitions(app.db);
    expect(partitions.slice(-4)).toEqual([
      // All of the time that no server was there to split.
      { name: `audit_events_${monthName(monthFromNow(3))}`, from: monthFromNow(3), to: monthFromNow(5) },
      { name: `audit_events_${monthName(monthFromNow(5))}`, from: monthFromNow(5), to: monthFromNow(6) },
      { name: `audit_events_${monthName(monthFromNow(6))}`, from: monthFromNow(6), to: monthFromNow(7) },
      { name: 'audit_events_open', from: monthFromNow(7), to: null },
    ]);
    expect(await list()).toEqual([monthFromNow(3).toISOString()]);
    const { rows } =
      await sql`select conname from pg_constraint where conname = 'audit_events_split'`.execute(app.db);
    expect(rows).toEqual([]);
  });
});

describe('lectern audit archive', () => {
  test('is refused without a date or a folder', async () => {
    for (const [args, message] of [
      [[], 'Say before which date, with --before.'],
      [['--before', '2026-13-01', '--to', folder], '--before must be a date such as 2026-01-01.'],
      [['--before', '2026-02-31', '--to', folder], '--before must be a date such as 2026-01-01.'],
      [['--before', '2026-01-01'], 'Say where to, with --to.'],
    ] as const) {
      const { status, stderr } = await archive(...args);
      expect([status, stderr.split('\n')[0]]).toEqual([2, message]);
    }
  });

  test('writes whole months, and drops them when they are on the disk', async () => {
    for (let i = 0; i < 3; i++)
      await addEvent(monthFromNow(-MONTHS), { tenantId: i === 1 ? 'other' : tenantId });
    await addEvent(justBefore(monthFromNow(-MONTHS + 1)));
    await addEvent(monthFromNow(-MONTHS + 1));
    const until = dateOf(monthFromNow(-MONTHS + 1));
    const dry = await archive('--before', until, '--to', folder, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, partitions: [{ rows: 4 }] });
    expect(await readdir(folder)).toEqual([]);

    const file = `audit-${monthName(monthFromNow(-MONTHS)).replace('_', '-')}.ndjson.gz`;
    // As a run leaves it that is killed.
    await writeFile(path.join(folder, `${file}.partial`), 'half of it');
    const { status, stdout } = await archive('--before', until, '--to', folder, '--json');
    const bytes = await readFile(path.join(folder, file));
    const manifest = {
      format: 1,
      partition: `audit_events_${monthName(monthFromNow(-MONTHS))}`,
      from: monthFromNow(-MONTHS).toISOString(),
      to: monthFromNow(-MONTHS + 1).toISOString(),
      file,
      rows: 4,
      firstId: expect.any(Number),
      lastId: expect.any(Number),
      idSum: expect.any(String),
      sizeBytes: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      time: expect.any(String),
      versions: { lectern: expect.any(String), migration: expect.any(String) },
    };
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: false, folder, partitions: [manifest] });
    expect(
      JSON.parse(await readFile(path.join(folder, file.replace('.ndjson.gz', '.json')), 'utf8')),
    ).toEqual(manifest);
    const events = gunzipSync(bytes)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map((event) => [event.tenant_id, event.after])).toEqual(
      [tenantId, 'other', tenantId, tenantId].map((tenant) => [tenant, { title: 'ä' }]),
    );
    expect(await list()).toEqual([monthFromNow(-MONTHS + 1).toISOString()]);

    const next = dateOf(monthFromNow(-MONTHS + 2));
    const again = await archive('--before', until, '--to', folder);
    expect([again.status, again.stdout]).toEqual([
      0,
      `There is nothing to archive: the oldest month ends on ${next}, which is after ${until}. Say --before ${next} or later.\n`,
    ]);
    // A clock that is wrong fails no write.
    expect(await addEvent(new Date('1970-01-01T00:00:00Z'))).toBe('audit_events_before');
  });

  test('goes on after a kill, and drops nothing that is not in the file', async () => {
    const month = monthFromNow(-MONTHS + 1);
    const until = dateOf(monthFromNow(-MONTHS + 2));
    const file = path.join(folder, `audit-${monthName(month).replace('_', '-')}.ndjson.gz`);
    const run = () => archive('--before', until, '--to', folder);
    for (const tenant of [tenantId, 'other']) await addEvent(month, { tenantId: tenant });
    await app.db.transaction().execute(async (tx) => {
      // Whoever reads the audit log keeps it from being dropped.
      await sql`select from audit_events`.execute(tx);
      const { child, ended } = startArchive('--before', until, '--to', folder);
      await waitFor(() => readFile(file.replace('.ndjson.gz', '.json')), { what: 'the manifest' });
      child.kill('SIGKILL');
      await ended;
    });
    expect(await list()).toEqual([month.toISOString()]);

    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, -9));
    const damaged = await run();
    expect([damaged.status, damaged.stderr]).toEqual([
      1,
      expect.stringMatching(/^audit-.* is damaged: .*\n$/),
    ]);
    await writeFile(file, bytes);

    await forget('other');
    const differing = await run();
    expect([differing.status, differing.stderr]).toEqual([
      1,
      expect.stringMatching(/has other events than audit_/),
    ]);
    expect(await list()).toEqual([month.toISOString()]);

    await addEvent(month, { tenantId: 'other' });
    await rm(file);
    await rm(file.replace('.ndjson.gz', '.json'));
    expect((await run()).status).toBe(0);
    expect(
      gunzipSync(await readFile(file))
        .toString()
        .trim()
        .split('\n'),
    ).toHaveLength(2);
    expect(await list()).toEqual([]);
  });
});

test('with a retention the sweep drops months that are over, oldest first', async () => {
  await addEvent(monthFromNow(-3));
  await addEvent(monthFromNow(-2));
  const keepMs = Date.now() - monthFromNow(-2).getTime() - 1_000;
  await drain(maintainPartitions(app.db, { keepMs, clock: () => new Date() }));
  expect(await list()).toEqual([monthFromNow(-2).toISOString()]);
  expect((await readAuditPartitions(app.db))[0]).toMatchObject({
    name: 'audit_events_before',
    to: monthFromNow(-2),
  });
});

test('an archive of all never drops the month that goes on', async () => {
  await addEvent(monthFromNow(0));
  const next = await archive('--before', dateOf(monthFromNow(2)), '--to', folder, '--json');
  expect(JSON.parse(next.stdout).next.name).toBe(`audit_events_${monthName(monthFromNow(0))}`);
  expect(await list()).toEqual([monthFromNow(0).toISOString()]);
  const again = await archive('--before', dateOf(monthFromNow(2)), '--to', folder);
  expect([again.status, again.stdout]).toEqual([
    0,
    `There is nothing to archive: the oldest month ends on ${dateOf(monthFromNow(1))}, and is not over yet.\n`,
  ]);
});

test('an archive into what is no folder says so, and drops nothing', async () => {
  const file = path.join(folder, 'a file');
  await writeFile(file, '');
  const { username } = os.userInfo();
  expect(await archive('--before', dateOf(monthFromNow(2)), '--to', `${file}/in it`)).toEqual({
    status: 1,
    stdout: '',
    stderr: `${file}/in it cannot be a folder, because it or what is above it is a file (ENOTDIR: not a directory, mkdir). Use a folder that the user ${username}, which this command runs as, has the right to write to.\n`,
  });
});

/** As when a tenant is deleted. */
async function forget(...tenants: string[]): Promise<void> {
  for (const tenant of tenants.length > 0 ? tenants : [tenantId, 'other']) {
    await app.db.deleteFrom('auditEvents').where('tenantId', '=', tenant).execute();
  }
}
