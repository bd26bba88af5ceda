import { afterAll, beforeEach, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { version } from '../../src/config/version.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { makeNextRelease, NEXT_MIGRATIONS, NEXT_VERSION } from '../support/next-release.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startProgram } from '../support/run-command.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { startSteadyLoad } from '../support/steady-load.js';
import { waitFor } from '../support/wait-for.js';

/* This build as the previous release, and beside it the next one, which has further migrations. */

const [LABELS, LABEL_DOCUMENTS] = NEXT_MIGRATIONS as [string, string];
const next = makeNextRelease();
let database: TestDatabase;
let client: DatabaseClient;
let folder: Awaited<ReturnType<typeof makeDataDir>>;
let env: Record<string, string> & { DATA_DIR: string };
const running: ServerProcess[] = [];

beforeEach(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), makeDataDir('upgrade')]);
  client = connectUnscoped(database.url, { max: 4 });
  env = { DATA_DIR: folder.dataDir, DATABASE_URL: database.url };
  return async () => {
    await Promise.all(running.splice(0).map((server) => server.end('SIGTERM')));
    await client.close();
    await database.drop();
    await folder.remove();
  };
});
afterAll(() => next.remove());

async function startServer(program?: string): Promise<ServerProcess> {
  const server = await startServerProcess(env, program);
  running.push(server);
  return server;
}
const migrate = () => startProgram(['migrate'], env, next.program);

/** The migrations of the next release that are recorded, with the version that applied them. */
async function recorded(): Promise<unknown[]> {
  const { rows } = await client.pool.query(
    `select name, to_jsonb(m) ->> 'version' as version from kysely_migration as m where name > '9' order by name`,
  );
  return rows;
}
const byNext = (...names: string[]) => names.map((name) => ({ name, version: NEXT_VERSION }));

/** PostgreSQL's processes that are in the middle of the second migration. */
async function findMigrating(): Promise<number[]> {
  const { rows } = await client.pool.query(
    `select pid from pg_stat_activity where datname = current_database() and query like '%from migration_gate)%' and pid <> pg_backend_pid() and state = 'active'`,
  );
  return rows.map(({ pid }) => pid);
}
/** Waits for that, or fails with what the program printed where it has ended before. */
function untilMigrating(program?: ReturnType<typeof migrate>): Promise<number> {
  const isUnderWay = waitFor(async () => (await findMigrating())[0], { what: 'the second migration' });
  if (!program) return isUnderWay;
  const failure = program.ended.then(({ stderr }) => {
    throw new Error(stderr);
  });
  return Promise.race([isUnderWay, failure]);
}
const openGate = () => client.pool.query('insert into migration_gate values (1)');
const isLabelled = async () =>
  (
    await client.pool.query(
      `select from information_schema.columns where table_name = 'documents' and column_name = 'label'`,
    )
  ).rowCount === 1;

test('the next release migrates under load beside the previous one, which goes on, and then takes over', async () => {
  const previous = await startServer();
  let addresses = [previous.address];
  const load = startSteadyLoad(() => addresses);
  const { untilCreated } = load;
  await untilCreated(8);

  // Somebody reads for long, and the migration must not make everybody else wait behind it.
  const reader = await client.pool.connect();
  await reader.query('begin; select count(*) from documents');
  const migrating = migrate();
  await waitFor(() => migrating.written.stderr.split('trying again').length > 2, {
    what: 'the migration to wait',
  });
  await untilCreated(8);
  expect(await recorded()).toEqual([]);
  await reader.query('commit');
  reader.release();

  await untilMigrating(migrating);
  expect(await recorded()).toEqual(byNext(LABELS));
  // Rows of documents are locked for long; reading and adding goes on.
  await untilCreated(8);
  await openGate();
  expect(await migrating.ended).toMatchObject({ status: 0 });
  await untilCreated(8);
  const upgraded = await startServer(next.program);
  addresses = [previous.address, upgraded.address];
  await untilCreated(16);
  addresses = [upgraded.address];
  await untilCreated(4);
  expect(await previous.end('SIGTERM')).toBe(0);
  await untilCreated(8);
  await load.stop();
  const others = [...load.answers.keys()].filter((answer) => !/ 20[01]$/.test(answer));
  // The schema changed beneath transactions that were under way: they may be sent again.
  expect(others.filter((answer) => !answer.endsWith(' 503'))).toEqual([]);
  expect(previous.printed.stderr).toBe('');

  const health = await (await fetch(`${upgraded.address}/healthz`)).json();
  expect(health).toEqual({ status: 'ok', version: NEXT_VERSION });
  await waitFor(
    async () => (await client.pool.query(`select from documents where status <> 'ready'`)).rowCount === 0,
    { what: 'all documents to be processed' },
  );
  const { rows } = await client.pool.query('select id from documents');
  expect(rows.map(({ id }) => id).sort()).toEqual([...load.created].sort());
});

test('a migration whose process is killed leaves nothing behind, and the one that waits for it goes on', async () => {
  const killed = migrate();
  const orphan = await untilMigrating(killed);
  const waiting = migrate();
  await waitFor(() => waiting.written.stderr !== '', { what: 'the second process to wait' });
  expect(waiting.written.stderr).toBe('Another process is migrating the database; waiting for it.\n');
  killed.child.kill('SIGKILL');
  // PostgreSQL finds that nobody waits for the answer, and another process begins again.
  await waitFor(async () => !(await findMigrating()).includes(orphan), { what: 'the migration to be ended' });
  await untilMigrating(waiting);
  await openGate();
  expect(await waiting.ended).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(`\n  applied ${LABEL_DOCUMENTS}\nUp to date now.\n$`),
  });
  expect(waiting.written.stdout).not.toContain(LABELS);
  expect(await recorded()).toEqual(byNext(LABELS, LABEL_DOCUMENTS));
});

test('a migration whose connection is ended leaves nothing behind, and the next start completes it', async () => {
  const ended = migrate();
  await client.pool.query('select pg_terminate_backend($1::integer)', [await untilMigrating(ended)]);
  const { status, stderr } = await ended.ended;
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /^The connection to the database was lost \(.+\)\. Start again once it is back\.\n$/,
    ),
  });
  expect(await recorded()).toEqual(byNext(LABELS));
  await openGate();
  await startServer(next.program);
  expect(await recorded()).toEqual(byNext(LABELS, LABEL_DOCUMENTS));
  expect(await isLabelled()).toBe(true);
});

test('the previous release refuses the database of the next one, in every command', async () => {
  const migrating = migrate();
  await untilMigrating(migrating);
  await openGate();
  await migrating.ended;
  const refused = {
    status: 1,
    stdout: '',
    stderr:
      `The database was migrated by a newer version of Lectern (${NEXT_VERSION}, migration ${LABEL_DOCUMENTS}). ` +
      `Install version ${NEXT_VERSION} or newer, or restore a backup that was made before that migration.\n`,
  };
  expect(version).not.toBe(NEXT_VERSION);
  for (const command of [
    'serve',
    'migrate',
    'seed',
    'keys list --tenant acme',
    'search status',
    'tenant delete acme --dry-run',
  ]) {
    expect({ command, ...(await startProgram(command.split(' '), env).ended) }).toEqual({
      command,
      ...refused,
    });
  }
});
