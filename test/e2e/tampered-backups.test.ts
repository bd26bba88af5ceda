import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBackup } from '../../src/backup/create-backup.js';
import { type BackupManifest, placeOf, readManifest, writeManifest } from '../../src/backup/manifest.js';
import { restoreBackup } from '../../src/backup/restore-backup.js';
import { verifyBackup } from '../../src/backup/verify-backup.js';
import { REMOVAL } from '../../src/cli/shared/data-dir.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { createRestClient } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.js';
import { startProgram } from '../support/run-command.js';

/* Backups that somebody has changed who can make their hashes anew. */

const app = useApp();
const silent = () => {};
let work: string;
let intact: string;
let key: string;
let target: TestDatabase;
const SECRET = 'not for the backup';

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-tampered-'));
  await app.makeKey({ scope: { tenantId: 'acme' } });
  await createRestClient(app).upload('# Herons\n\nThey stand in the reed.', 'herons.md');
  await app.settle();
  intact = path.join(work, 'intact');
  await createBackup({
    url: app.databaseUrl,
    db: app.db,
    folder: intact,
    version: '0.1.0',
    onProgress: silent,
    storage: openStorage(`file://${app.dataDir}/files`),
  });
  key = JSON.parse((await readFile(path.join(intact, 'files.ndjson'), 'utf8')).trim()).key;
  target = await createEmptyDatabase();
  await writeFile(path.join(work, 'secret'), SECRET);
});
afterAll(async () => {
  await target?.drop();
  await rm(work, REMOVAL);
});

/** A copy in which something is changed, with hashes that fit. */
async function tamper(
  change: (folder: string, manifest: BackupManifest) => Promise<unknown> | unknown,
): Promise<string> {
  const folder = path.join(await mkdtemp(path.join(work, 'copy-')), 'backup');
  await cp(intact, folder, { recursive: true });
  const manifest = await readManifest(folder);
  await change(folder, manifest);
  await writeManifest(folder, manifest);
  return folder;
}

const contentOf = (bytes: Buffer) => ({
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

const changeRows = (table: string, change: (rows: string, columns: string[]) => string) =>
  tamper((folder, { tables }) => rewrite(folder, tables, table, change));

async function rewrite(
  folder: string,
  tables: BackupManifest['tables'],
  name: string,
  change: (rows: string, columns: string[]) => string,
): Promise<void> {
  const table = tables[name] as BackupManifest['tables'][string];
  const file = path.join(folder, table.file);
  const rows = change(gunzipSync(await readFile(file)).toString('latin1'), table.columns);
  const bytes = gzipSync(Buffer.from(rows, 'latin1'));
  await writeFile(file, bytes);
  Object.assign(table, contentOf(bytes), { rows: rows.split('\n').length - 1 });
}

const changeList = (lines: string) =>
  tamper(async (folder, { files }) => {
    await writeFile(path.join(folder, 'files.ndjson'), lines);
    Object.assign(files, contentOf(Buffer.from(lines)), { count: lines.split('\n').length - 1 });
  });

async function query(text: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

const storageOf = (folder: string) => path.join(path.dirname(folder), 'storage/files');

const restore = (folder: string) =>
  restoreBackup({
    folder,
    url: target.url,
    version: '0.1.0',
    intoUsedStorage: false,
    disableWebhooks: false,
    storage: openStorage(`file://${storageOf(folder)}`),
    onProgress: silent,
  });

/** Neither database nor storage are touched. */
async function expectRefused(folder: string, message: string | RegExp): Promise<void> {
  await expect(restore(folder)).rejects.toThrow(message);
  expect(await query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
  const made = (await readdir(path.dirname(folder), { recursive: true })).filter(
    (name) => !/^backup/.test(name),
  );
  expect(made).toEqual([]);
  expect(await readFile(path.join(work, 'secret'), 'utf8')).toBe(SECRET);
}

const problemsOf = async (folder: string) => (await verifyBackup(folder, silent)).damaged;

test('the manifest says what it proves and what not', async () => {
  const { about } = JSON.parse(await readFile(path.join(intact, 'manifest.json'), 'utf8'));
  expect(about).toMatch(/^The hashes prove that this backup is as it was written, not who has written it: /);
});

test.each(['../../secret', '/etc/passwd', '..', 'a name', '\\x2e\\x2e/secret'])(
  'a row that names the file %j',
  async (name) => {
    const folder = await changeRows('document_sources', (rows) => rows.replace(key, name));
    const [damaged] = await problemsOf(folder);
    expect(damaged).toEqual({
      file: 'tables/document_sources.copy.gz',
      problem: 'wrong file key in row 1',
    });
    await expectRefused(
      folder,
      /nothing was restored:\n {2}tables\/document_sources\.copy\.gz: wrong file key in row 1$/,
    );
    const { status, stdout } = await startProgram(['backup', 'verify', folder], {}).ended;
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: `file                             problem\ntables/document_sources.copy.gz  wrong file key in row 1\n`,
    });
  },
);

test('rows that are none', async () => {
  const folder = await tamper(async (to, { tables }) => {
    const bytes = Buffer.from('not compressed');
    await writeFile(path.join(to, 'tables/document_sources.copy.gz'), bytes);
    Object.assign(tables.document_sources ?? {}, contentOf(bytes));
  });
  await expectRefused(folder, 'tables/document_sources.copy.gz: no rows');
});

test.each([
  [
    'a list that names another file',
    () =>
      `{"key":"../../../../../../secret/aaaaaaaaaaaaaaaaaaa","sizeBytes":1,"sha256":"${'0'.repeat(64)}"}\n`,
  ],
  [
    'a list with dashes alone',
    () => `{"key":"${'-'.repeat(36)}","sizeBytes":1,"sha256":"${'0'.repeat(64)}"}\n`,
  ],
  ['a list without lines', () => 'x'.repeat(50 * 1024 * 1024)],
  ['a list of arrays', () => `${'['.repeat(900)}\n`],
])('%s', async (_, lines) => {
  await expectRefused(await changeList(lines()), 'files.ndjson is damaged: line 1 names no file.');
});

test('counts that are wrong', async () => {
  await expectRefused(
    await tamper((_, { files }) => Object.assign(files, { count: 7 })),
    'nothing was restored:\n  files.ndjson: changed',
  );
});

const inPlaceOf = {
  'a symbolic link': (file: string) => symlink(path.join(work, 'secret'), file),
  'a link to a device': (file: string) => symlink('/dev/zero', file),
  'a pipe': (file: string) => void execFileSync('mkfifo', [file]),
  'a folder': (file: string) => mkdir(file),
};
test.each(Object.entries(inPlaceOf))('%s in the place of a file', async (_, put) => {
  for (const find of [() => placeOf(key), () => 'tables/documents.copy.gz', () => 'files.ndjson']) {
    const file = find();
    const folder = await tamper(async (to) => {
      await rm(path.join(to, file));
      await put(path.join(to, file));
    });
    await expectRefused(folder, new RegExp(`${file}(: no| is not a) regular file`));
  }
  const folder = await tamper(silent);
  await rm(path.join(folder, 'manifest.json'));
  await put(path.join(folder, 'manifest.json'));
  await expectRefused(folder, 'manifest.json is not a regular file of the backup.');
});

test('folders that lead elsewhere', async () => {
  for (const name of ['files', 'tables', path.dirname(placeOf(key))]) {
    const folder = await tamper(async (to) => {
      const aside = path.join(await mkdtemp(path.join(work, 'aside-')), 'elsewhere');
      await rename(path.join(to, name), aside);
      await symlink(aside, path.join(to, name));
    });
    await expectRefused(folder, 'no regular file');
  }
});

test('a manifest that is huge, deep or not one', async () => {
  const folder = await tamper(silent);
  const write = (text: string) => writeFile(path.join(folder, 'manifest.json'), text);
  for (const text of ['', 'null', '7', '[]', '{}', `{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}`]) {
    await write(text);
    await expectRefused(
      folder,
      /^manifest\.json is damaged: (it is not JSON|its checksum does not match)\.$/,
    );
  }
  const file = await open(path.join(folder, 'manifest.json'), 'w');
  await file.truncate(300 * 1024 * 1024);
  await file.close();
  await expectRefused(folder, 'manifest.json is damaged: it has 314572800 bytes.');
});

test.each<[string, (manifest: BackupManifest) => unknown]>([
  [
    'tables.documents.file',
    ({ tables }) => Object.assign(tables.documents ?? {}, { file: 'tables/../../../secret.copy.gz' }),
  ],
  ['tables.documents.columns', ({ tables }) => Object.assign(tables.documents ?? {}, { columns: [] })],
  ['files.file', ({ files }) => Object.assign(files, { file: '/etc/passwd' })],
  ['missingFiles.0', (manifest) => manifest.missingFiles.push('\u001b]0;gotcha\u0007')],
  ['versions.lectern', ({ versions }) => Object.assign(versions, { lectern: '\u001b[2J' })],
  [
    'sequences.audit_events_id.last',
    ({ sequences }) => Object.assign(sequences.audit_events_id ?? {}, { last: '1; drop' }),
  ],
])('a manifest with a wrong %s', async (place, change) => {
  const folder = await tamper((_, manifest) => void change(manifest));
  await expectRefused(folder, `manifest.json is damaged: "${place}" cannot be right.`);
});

test('what would be more than data is not taken; what is data comes back', async () => {
  const bad = '"; drop table documents; --';
  const folder = await tamper(async (to, { tables, sequences }) => {
    await rewrite(to, tables, 'api_keys', (rows, columns) =>
      rows
        .split('\n')
        .map((row) => {
          const fields = row.split('\t');
          if (row) fields[columns.indexOf('name')] = '<script>alert(1)</script>';
          return fields.join('\t');
        })
        .join('\n'),
    );
    const session = gzipSync('a session\n');
    for (const name of ['sessions', 'kysely_migration', 'pg_class', '__proto__', bad]) {
      await writeFile(path.join(to, 'tables/more.copy.gz'), session);
      Object.defineProperty(tables, name, {
        value: { file: 'tables/more.copy.gz', columns: ['id'], rows: 1, ...contentOf(session) },
        enumerable: true,
      });
    }
    sequences[bad] = { last: '1', isCalled: true };
  });
  const database = target;
  target = await createEmptyDatabase();
  try {
    const { skippedTables } = await restore(folder);
    expect(skippedTables).toEqual(expect.arrayContaining(['kysely_migration', 'pg_class', bad]));
    expect(await query('select name from api_keys')).toEqual([{ name: '<script>alert(1)</script>' }]);
    expect(await query('select count(*)::integer from documents')).toEqual([{ count: 1 }]);
  } finally {
    await target.drop();
    target = database;
  }
});

test.each<[string, string, (rows: string, columns: string[]) => string]>([
  [
    'rows without a column',
    'missing data for column "extraction"',
    (rows) => rows.replace(/\t[^\t\n]*$/gm, ''),
  ],
  [
    'rows with a value that is none, and codes of a terminal',
    'invalid input syntax for type bigint: " [2J"',
    (rows, columns) =>
      rows.replace(/^.+$/gm, (row) =>
        row.split('\t').with(columns.indexOf('revision'), '\u001b[2J').join('\t'),
      ),
  ],
])('%s are named, and load nothing', async (_, problem, change) => {
  const database = target;
  target = await createEmptyDatabase();
  try {
    const folder = await changeRows('documents', change);
    await expect(restore(folder)).rejects.toThrow(
      `tables/documents.copy.gz is damaged: PostgreSQL refuses its rows (${problem}).`,
    );
    expect(await query('select count(*)::integer from documents')).toEqual([{ count: 0 }]);
  } finally {
    await target.drop();
    target = database;
  }
});

test('a column with a statement for its name, or other numbers of rows, load nothing', async () => {
  const database = target;
  for (const [change, message] of [
    [
      { columns: ['id"); drop table chunks; --'] },
      'The table documents has no column "id\\"); drop table chunks; --"',
    ],
    [{ rows: 77 }, 'tables/documents.copy.gz is damaged: it has 1 of 77 rows.'],
  ] as const) {
    target = await createEmptyDatabase();
    try {
      const folder = await tamper((_, { tables }) => Object.assign(tables.documents ?? {}, change));
      await expect(restore(folder)).rejects.toThrow(message);
      expect(
        await query(
          'select (select count(*) from documents)::integer as documents, (select count(*) from api_keys)::integer as keys',
        ),
      ).toEqual([{ documents: 0, keys: 0 }]);
    } finally {
      await target.drop();
      target = database;
    }
  }
});

test.each<[string, (manifest: BackupManifest) => void, RegExp]>([
  [
    'a sequence with a value that is out of range',
    ({ sequences }) => Object.assign(Object.values(sequences)[0] as object, { last: '-5' }),
    /^manifest.json is damaged: PostgreSQL refuses the sequence \w+ \(setval: value -5 is out of bounds/,
  ],
  [
    'a sequence that is a table',
    ({ sequences }) => Object.assign(sequences, { documents: { last: '1', isCalled: true } }),
    /^manifest.json is damaged: PostgreSQL refuses the sequence documents \(/,
  ],
  [
    'a table with a column twice',
    ({ tables }) => tables.documents?.columns.push('id'),
    /^tables\/documents.copy.gz is damaged: PostgreSQL refuses its rows \(column "id" specified more than once\)/,
  ],
])('%s', async (_, change, message) => {
  const folder = await tamper((_folder, manifest) => change(manifest));
  await expect(restore(folder)).rejects.toThrow(message);
  expect(await query('select id from documents')).toEqual([]);
});
