import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { applyPending, withMigrationLock } from '../../db/migrate.js';
import { migrationNames } from '../../db/migration-record.js';
import { createBackup } from '../../src/backup/create-backup.js';
import { placeOf, readManifest, writeManifest } from '../../src/backup/manifest.js';
import { REMOVAL } from '../../src/cli/shared/data-dir.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { findDrift } from '../integration/support/find-drift.js';
import { createRestClient, TENANT_UNIT } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { useHeldResponses } from '../support/held-responses.js';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.js';
import { type Environment, startProgram } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';

/* Backups of what is not as it should be, and restores into what is not empty. */

const app = useApp();
const { upload, createDocument } = createRestClient(app);
const heldStorage = useHeldResponses();
let work: string;
/** A backup of two files. */
let intact: string;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-backup-'));
  await upload('# Herons\n\nThey stand in the reed.', 'herons.md');
  await upload('# Geese\n\nThey hide in the reed.', 'geese.md');
  await createDocument({ documentName: 'ducks', documentContent: 'They nest in the reed.' });
  await app.settle();
  intact = path.join(work, 'intact');
  expect(await lectern(['backup', '--to', intact])).toMatchObject({ status: 0 });
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  await rm(work, REMOVAL);
});

const ownEnv = (): Environment => ({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir });
const lectern = (args: string[], env = ownEnv()) => startProgram(args, env).ended;

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database.url;
}

/** An empty place to restore into. */
const emptyTarget = async (): Promise<Environment> => ({
  DATABASE_URL: await emptyDatabase(),
  DATA_DIR: await mkdtemp(path.join(work, 'data-')),
});

async function query(url: string | undefined, text: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const copyOf = async (name: string): Promise<string> => {
  const folder = path.join(work, name);
  await cp(intact, folder, { recursive: true });
  return folder;
};

test('records when it was made', async () => {
  const { time } = await readManifest(intact);
  expect(await query(app.databaseUrl, 'select time from last_backup')).toEqual([{ time: new Date(time) }]);
});

test('is refused without a folder, or into one that has something in it', async () => {
  expect(await lectern(['backup'])).toMatchObject({ status: 2, stdout: '' });
  expect(await lectern(['backup', '--to', intact])).toEqual({
    status: 1,
    stdout: '',
    stderr: `The folder ${intact} is not empty.\n`,
  });
  expect(await lectern(['backup', '--to', path.join(work, 'none')], { DATA_DIR: `${work}/none` })).toEqual({
    status: 2,
    stdout: '',
    stderr: `There is no database in ${work}/none. Set DATA_DIR, or DATABASE_URL, as the server has it.\n`,
  });
  expect(
    await lectern(['backup', '--to', path.join(work, 'none')], { DATABASE_URL: await emptyDatabase() }),
  ).toEqual({
    status: 1,
    stdout: '',
    stderr: 'The database contains no Lectern data yet. Check DATABASE_URL and DATA_DIR.\n',
  });
});

test('is refused into two places at once', async () => {
  const { status, stdout, stderr } = await lectern(['backup', '--to', `${work}/a`, '--into', `${work}/b`]);
  expect({ status, stdout, said: stderr.split('\n')[0] }).toEqual({
    status: 2,
    stdout: '',
    said: 'Say where to with one of --to and --into, not with both.',
  });
});

test('says of a folder that cannot be one what is wrong with it', async () => {
  const file = path.join(work, 'a file');
  await writeFile(file, '');
  const { username } = os.userInfo();
  const useAnother = `Use a folder that the user ${username}, which this command runs as, has the right to write to.`;
  expect(await lectern(['backup', '--to', file])).toEqual({
    status: 1,
    stdout: '',
    stderr: `${file} is a file, and a folder is needed (EEXIST: file already exists, mkdir). ${useAnother}\n`,
  });
  const inFile = {
    status: 1,
    stdout: '',
    stderr: `${file}/in it cannot be a folder, because it or what is above it is a file (ENOTDIR: not a directory, mkdir). ${useAnother}\n`,
  };
  expect(await lectern(['backup', '--to', `${file}/in it`])).toEqual(inFile);
  const link = path.join(work, 'a link');
  await symlink(path.join(work, 'nowhere'), link);
  expect(await lectern(['backup', '--to', link])).toEqual({
    status: 1,
    stdout: '',
    stderr: `${link} is a symbolic link to ${work}/nowhere, which is not there, and a folder is needed (EEXIST: file already exists, mkdir). Make that, or use another folder.\n`,
  });
  if (process.platform === 'linux') {
    for (const to of ['/proc/backups', '/proc/backups/monday']) {
      const { child, ended } = startProgram(['backup', '--to', to], ownEnv());
      onTestFinished(() => void child.kill('SIGKILL'));
      expect(await ended).toEqual({
        status: 1,
        stdout: '',
        stderr: `/proc/backups cannot be made: its file system takes no folders, as /proc does (ENOENT: no such file or directory, mkdir). ${useAnother}\n`,
      });
    }
  }
  expect(await lectern(['backup', '--into', file])).toEqual({
    ...inFile,
    stderr: expect.stringMatching(/^\/.*\/a file\/20[^ ]+Z cannot be a folder, because .*\n$/),
  });
});

test('leaves a folder as it was after a failure, and says which storage failed', async () => {
  const unusable = path.join(work, 'a file of a storage');
  await writeFile(unusable, '');
  const env = { ...ownEnv(), STORAGE_URL: `file://${unusable.replaceAll(' ', '%20')}` };
  const abandoned = path.join(work, 'failing', '2020-01-02T000000.000Z');
  await mkdir(path.join(abandoned, 'tables'), { recursive: true });
  const { status, stdout, stderr } = await lectern(
    ['backup', '--into', path.dirname(abandoned), '--keep', '1'],
    env,
  );
  const said =
    /The file storage fails\. \/.*a file of a storage\/[^ ]+ cannot be a folder, because it or what is above it is a file \(ENOTDIR: not a directory, open\)\. Use a folder that the user .* has the right to write to\. Files are where STORAGE_URL says, else in DATA_DIR\.\n$/;
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(said),
  });
  expect(stderr).toContain(`Removed ${abandoned}\n`);
  expect(await readdir(path.dirname(abandoned))).toEqual([]);

  const empty = path.join(work, 'empty');
  await mkdir(empty);
  expect(await lectern(['backup', '--to', empty], env)).toMatchObject({ status: 1, stdout: '' });
  expect(await readdir(empty)).toEqual([]);
  expect(await lectern(['backup', '--to', intact], env)).toMatchObject({ status: 1, stdout: '' });
  expect(await lectern(['backup', 'verify', intact])).toMatchObject({ status: 0 });
  const target = { ...(await emptyTarget()), STORAGE_URL: env.STORAGE_URL };
  expect(await lectern(['restore', intact, '--into-used-storage'], target)).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(said.source.replace(', open', ', mkdir')),
  });
});

test('can be read by its owner alone, and has no sessions', async () => {
  const { tables, leftOut } = await readManifest(intact);
  expect(leftOut).toEqual([
    'last_backup',
    'rate_buckets',
    'search_outbox',
    'search_replay',
    'sessions',
    'user_sessions',
  ]);
  const listed = await query(
    app.databaseUrl,
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`,
  );
  const names = listed.map(({ name }) => name).filter((name) => !/^kysely_/.test(name));
  expect([...Object.keys(tables), ...leftOut].sort()).toEqual(names.sort());
  const entries = (await readdir(intact, { recursive: true })).map((name) => path.join(intact, name));
  const modes = await Promise.all(
    [intact, ...entries].map(async (entry) => (await stat(entry)).mode & 0o077),
  );
  expect(modes.length).toBeGreaterThan(30);
  expect(modes.filter((mode) => mode !== 0)).toEqual([]);
});

test('the oldest are removed where so many are enough, and nothing else', async () => {
  const into = path.join(work, 'nightly');
  const [ours, abandoned] = ['2020-01-01T000000.000Z', '2020-01-02T000000.000Z'];
  await cp(intact, path.join(into, ours), { recursive: true });
  await mkdir(path.join(into, abandoned));
  await cp(intact, path.join(into, 'of my own'), { recursive: true });
  const backup = ['backup', '--into', into, '--keep'];
  expect(await lectern([...backup, '0'])).toMatchObject({ status: 2, stdout: '' });
  expect(await lectern([...backup, '2'])).toMatchObject({ status: 0 });
  const another = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d{6}\.\d{3}Z$/);
  expect((await readdir(into)).sort()).toEqual([ours, another, 'of my own']);
  const { stderr } = await lectern([...backup, '1']);
  expect(stderr).toContain(`Removed ${path.join(into, ours)}\n`);
  expect((await readdir(into)).sort()).toEqual([another, 'of my own']);
});

test('one that lacks files takes the place of none that is whole', async () => {
  const into = path.join(work, 'unmounted');
  const first = '2020-01-01T000000.000Z';
  await cp(intact, path.join(into, first), { recursive: true });
  const backup = (dataDir: string, keep: string) =>
    lectern(['backup', '--into', into, '--keep', keep], { DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir });
  const unmounted = await mkdtemp(path.join(work, 'unmounted-'));
  const { status, stdout, stderr } = await backup(unmounted, '1');
  const [, second = ''] = (await readdir(into)).sort();
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringMatching(
      /^[\d,]+ rows and 0 files \(.*\) are in \/.*Z\.\nThe storage lacks 2 files: see missingFiles in manifest\.json\.\n$/,
    ),
  });
  expect(stderr).toMatch(
    /\nFiles from \/.*\/unmounted-\w+\/files\nOlder backups were kept, because this one lacks files: check that the storage above is the right one and is mounted\. Where the files are lost for good, delete their documents, and back up again\.\n$/,
  );
  expect(await readdir(into)).toHaveLength(2);

  const folder = path.join(into, second);
  const { missingFiles, time, versions } = await readManifest(folder);
  expect(await query(app.databaseUrl, `select from last_backup where time = '${time}'`)).toEqual([]);
  expect(missingFiles).toHaveLength(2);
  const names = missingFiles.map((key) => `  ${key}\n`).join('');
  const verified = await lectern(['backup', 'verify', folder]);
  expect({ status: verified.status, stdout: verified.stdout }).toEqual({
    status: 1,
    stdout: expect.stringMatching(
      new RegExp(
        `^The backup of ${time} is as it was written, but not whole: [\\d,]+ rows and 0 files \\(.*\\), version ${versions.lectern}\\.\nThe storage lacked 2 files when the backup was made:\n${names}$`,
      ),
    ),
  });
  const asJson = await lectern(['backup', 'verify', folder, '--json']);
  expect({ status: asJson.status, json: JSON.parse(asJson.stdout) }).toEqual({
    status: 1,
    json: { time, versions, files: expect.any(Number), bytes: expect.any(Number), damaged: [], missingFiles },
  });
  const restored = await lectern(['restore', folder], await emptyTarget());
  expect({ status: restored.status, stdout: restored.stdout }).toEqual({
    status: 0,
    stdout: expect.stringContaining(
      `\nNot restored, as the storage lacked them when the backup was made: 2 files. Upload their documents again.\n${names}`,
    ),
  });

  // It does not count, and goes when two that are whole are newer.
  expect((await backup(app.dataDir, '2')).status).toBe(0);
  expect((await readdir(into)).sort()).toEqual([first, second, expect.any(String)]);
  const last = await backup(app.dataDir, '2');
  expect(last.stderr).toContain(`Removed ${path.join(into, first)}\nRemoved ${folder}\n`);
  expect(await readdir(into)).toHaveLength(2);
});

test('a document that is deleted while its file is copied is not in it', async () => {
  const { id } = await upload('# Herons\n\nThey leave.', 'leaving.md');
  await app.settle();
  const [{ key }] = await query(
    app.databaseUrl,
    `select file_key as key from document_sources where document_id = '${id}'`,
  );
  const storage = openStorage(`file://${app.dataDir}/files`);
  const folder = path.join(work, 'vanishing');
  const read = (wanted: string) => {
    if (wanted !== key) return storage.read(wanted);
    const afterDeletion = async function* () {
      await app.request('DELETE', `/admin/api/v1/documents/${id}`, { query: TENANT_UNIT });
      yield* storage.read(wanted);
    };
    return afterDeletion() as never;
  };
  const manifest = await createBackup({
    url: app.databaseUrl,
    db: app.db,
    folder,
    version: '0',
    onProgress: () => {},
    storage: { read },
  });
  expect(manifest.missingFiles).toEqual([]);
  expect(manifest.files.count).toBe(2);
  expect(await lectern(['backup', 'verify', folder])).toMatchObject({ status: 0 });
  expect(await lectern(['restore', folder], await emptyTarget())).toMatchObject({ status: 0 });
});

test('a file that the storage has lost is reported', async () => {
  const { id } = await upload('# Herons\n\nThey are lost.', 'lost.md');
  await app.settle();
  const [{ key }] = await query(
    app.databaseUrl,
    `select file_key as key from document_sources where document_id = '${id}'`,
  );
  await rm(path.join(app.dataDir, 'files', key.slice(0, 2), key));
  const folder = path.join(work, 'lost');
  const { status, stdout } = await lectern(['backup', '--to', folder]);
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringContaining('The storage lacks 1 file: see missingFiles in manifest.json.\n'),
  });
  expect((await readManifest(folder)).missingFiles).toEqual([key]);
  await app.request('DELETE', `/admin/api/v1/documents/${id}`, { query: TENANT_UNIT });
});

test('a damaged file is named, and nothing is restored', async () => {
  const folder = await copyOf('damaged');
  const [line = ''] = (await readFile(path.join(folder, 'files.ndjson'), 'utf8')).split('\n');
  const damaged = placeOf(JSON.parse(line).key);
  await writeFile(path.join(folder, damaged), 'other');
  await rm(path.join(folder, 'tables/messages.copy.gz'));
  expect(await lectern(['backup', 'verify', folder])).toMatchObject({
    status: 1,
    stdout: [
      'file                                           problem',
      'tables/messages.copy.gz                        missing',
      `${damaged}  changed`,
      '',
    ].join('\n'),
  });
  const target = await emptyTarget();
  const { status, stderr } = await lectern(['restore', folder], target);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining(
      `The backup is damaged, and nothing was restored:\n  tables/messages.copy.gz: missing\n  ${damaged}: changed\n`,
    ),
  });
  expect(await query(target.DATABASE_URL, `select from pg_class where relname = 'documents'`)).toEqual([]);
});

test('an incomplete or newer backup is refused', async () => {
  const folder = await copyOf('newer');
  const { format: _, ...manifest } = await readManifest(folder);
  const migrations = [...manifest.migrations, '9999-later'];
  await writeManifest(folder, { ...manifest, migrations, versions: { lectern: '9.0.0', postgres: '18' } });
  const target = await emptyTarget();
  const restore = async () => (await lectern(['restore', folder], target)).stderr;
  expect(await restore()).toMatch(
    /^The backup was made by version 9\.0\.0 and has the migration 9999-later, which this version \([\d.]+\) does not know: restore it with that one\.\n$/,
  );
  const file = path.join(folder, 'manifest.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('9999-later', '9998-later'));
  expect(await restore()).toBe('manifest.json is damaged: its checksum does not match.\n');
  await writeFile(file, '{');
  expect(await restore()).toBe('manifest.json is damaged: it is not JSON.\n');
  await rm(file);
  const incomplete = `${folder} holds no complete backup: there is no manifest.json, which comes last.\n`;
  expect(await restore()).toBe(incomplete);
  expect(await lectern(['backup', 'verify', folder])).toEqual({ status: 1, stdout: '', stderr: incomplete });
  expect(await lectern(['backup', 'verify', `${folder}/none`])).toEqual({
    status: 1,
    stdout: '',
    stderr: `There is no folder ${folder}/none. Name the folder of one backup.\n`,
  });
  expect(await lectern(['restore', `${folder}/files.ndjson`], target)).toEqual({
    status: 1,
    stdout: '',
    stderr: `${folder}/files.ndjson is not a folder. Name the folder of one backup.\n`,
  });
});

test('nothing is restored over other data', async () => {
  const { status, stderr } = await lectern(['restore', intact]);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /^The database holds data already \(.*, documents, .*\), and nothing is overwritten: restore into an empty one\. Set DATABASE_URL to a new database, or DATA_DIR to a new folder\.\n$/,
    ),
  });
});

test('nor into a storage that has files of its own, unless that is wanted', async () => {
  const target = await emptyTarget();
  const storage = openStorage(`file://${target.DATA_DIR}/files`);
  const bytes = async function* () {
    yield Buffer.from('of another database');
  };
  await storage.write(bytes(), { maxBytes: 100 });
  expect(await lectern(['restore', intact], target)).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'The storage has files that are not in the backup (1), and the server would remove them after a day. If another database uses them, set STORAGE_URL to another place; if they are left from the database that was lost, say --into-used-storage.\n',
  });
  expect(await lectern(['restore', intact, '--into-used-storage'], target)).toMatchObject({ status: 0 });
});

test('a restore that was killed keeps servers away, and can be run again', async () => {
  const target = await emptyTarget();
  const bucket = {
    STORAGE_URL: 's3://bucket',
    AWS_ENDPOINT_URL_S3: heldStorage.url(''),
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  const killed = startProgram(['restore', intact, '--into-used-storage'], { ...target, ...bucket });
  await waitFor(() => heldStorage.asked().length > 0, { what: 'files to be restored' });
  killed.child.kill('SIGKILL');
  await killed.ended;
  const refused = {
    status: 1,
    stdout: '',
    stderr: 'A restore into this database was interrupted. Run it again: lectern restore FOLDER\n',
  };
  expect(await lectern(['serve'], { ...target, PORT: '0' })).toEqual(refused);
  expect(await lectern(['migrate'], target)).toEqual(refused);
  expect(await lectern(['backup', '--to', path.join(work, 'half')], target)).toEqual(refused);
  expect(await lectern(['restore', intact], target)).toMatchObject({ status: 0 });
  expect(await lectern(['migrate'], target)).toMatchObject({ status: 0 });
  expect(await query(target.DATABASE_URL, 'select count(*)::integer from documents')).toEqual([{ count: 3 }]);
});

test('an older backup is migrated to this version', async () => {
  const url = await emptyDatabase();
  const [last, ...later] = migrationNames().slice(-3);
  await withMigrationLock(url, (session) => applyPending(session, url, {}, (name) => !later.includes(name)));
  const folder = path.join(work, 'older');
  expect(await lectern(['backup', '--to', folder], { DATABASE_URL: url })).toMatchObject({ status: 0 });
  expect((await readManifest(folder)).migrations.at(-1)).toBe(last);
  const { stdout } = await lectern(['restore', folder, '--json'], await emptyTarget());
  expect(JSON.parse(stdout)).toMatchObject({ appliedMigrations: later, skippedTables: [] });
});

test('what was under way begins again; webhooks can be switched off', async () => {
  // No worker is there, which would take the jobs.
  const source = await emptyTarget();
  expect(await lectern(['seed'], source)).toMatchObject({ status: 0 });
  await query(
    source.DATABASE_URL,
    `insert into processing_jobs (tenant_id, document_id, lane, lease_owner, lease_expires_time)
       select tenant_id, id, 'small', 'worker', now() + interval '1 hour' from documents;
     insert into search_index (generation, filling) values (7, false);
     insert into webhook_subscriptions (tenant_id, id, url, event_types, secret, created_time, updated_time)
     values ('acme', 'hook', 'https://consumer.invalid', '{document.ready}', 'whsec_', now(), now());
     insert into webhook_deliveries
       (tenant_id, id, subscription_id, event_id, event_type, subject_id, payload, created_time, claim, next_attempt_time)
     values ('acme', 'one', 'hook', 'event', 'document.ready', 'subject', '{}', now(), 'claim', now() + interval '1 hour')`,
  );
  const folder = path.join(work, 'under-way');
  expect(await lectern(['backup', '--to', folder], source)).toMatchObject({ status: 0 });
  const target = await emptyTarget();
  expect(await lectern(['restore', folder, '--disable-webhooks'], target)).toMatchObject({ status: 0 });
  const ask = (text: string) => query(target.DATABASE_URL, text);
  const leases =
    'select lease_owner, lease_expires_time, count(*)::integer from processing_jobs group by 1, 2';
  expect(await ask(leases)).toEqual([{ lease_owner: null, lease_expires_time: null, count: 5 }]);
  expect(await ask('select claim, next_attempt_time = created_time as due from webhook_deliveries')).toEqual([
    { claim: null, due: true },
  ]);
  expect(await ask('select enabled from webhook_subscriptions')).toEqual([{ enabled: false }]);
  expect(await ask('select generation, filling from search_index')).toEqual([
    { generation: '0', filling: true },
  ]);
  const restored = connectUnscoped(target.DATABASE_URL as string, { max: 1 });
  expect(await findDrift(restored.db, { isFolded: true }).finally(restored.close)).toEqual({});
  const nextId = `select nextval('audit_events_id') > (select max(id) from audit_events) as higher`;
  expect(await ask(nextId)).toEqual([{ higher: true }]);
});

test('tables of others are backed up, and reported when they are not restored', async () => {
  await sql`create table runtime_notes (note text)`.execute(app.db);
  const folder = path.join(work, 'foreign');
  expect(await lectern(['backup', '--to', folder])).toMatchObject({ status: 0 });
  const { stdout } = await lectern(['restore', folder], await emptyTarget());
  expect(stdout).toContain('Not restored, as they are no tables of Lectern: runtime_notes.\n');
});
