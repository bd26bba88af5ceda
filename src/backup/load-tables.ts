import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { childrenFirst } from '../../db/catalog.js';
import { RESTORE_MARKER } from '../../db/restore-marker.js';
import { invalid } from '../errors/errors.js';
import { hashStream } from '../local-files/new-file.js';
import { quote } from './connection.js';
import type { BackupManifest } from './manifest.js';
import { openFile } from './open-file.js';
import type { OnProgress } from './progress.js';
import { assertEmpty } from './restore-target.js';
import { LEFT_OUT, readDataTables } from './snapshot.js';

const MAX_MESSAGE = 300;

interface LoadOptions {
  folder: string;
  onProgress: OnProgress;
}

/**
 * Loads all rows, in the transaction of the caller. What triggers of earlier versions have made is among them, so none fires; foreign
 * keys are checked.
 *
 * @returns tables of the backup that no migration makes, and so are not Lectern's; they are not restored
 */
export async function loadTables(
  client: pg.Client,
  { tables, sequences }: BackupManifest,
  { folder, onProgress }: LoadOptions,
): Promise<string[]> {
  const found = (await readDataTables(client)).filter(({ name }) => name !== RESTORE_MARKER);
  const names = found.map(({ name }) => quote(name));
  // For a cluster, where foreign keys lead to tables of all nodes. Servers without Citus do not read it.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  await client.query(`lock table ${names.join(', ')} in access exclusive mode`);
  await assertEmpty(client);

  const triggered = await findTriggered(client);
  const total = Object.values(tables).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let before = 0;
  for (const { name, columns } of childrenFirst(found).reverse()) {
    // Not even from a backup that has been given them.
    if (LEFT_OUT.includes(name)) continue;
    const table = tables[name];
    if (!table) throw invalid(`The backup has no table ${name}.`, []);
    const unknown = table.columns.find((column) => !columns.includes(column));
    if (unknown)
      throw invalid(`The table ${name} has no column ${JSON.stringify(unknown)}, which the backup has.`, []);
    if (triggered.has(name)) await client.query(`alter table ${quote(name)} disable trigger user`);
    await loadTable(client, name, table, folder, (bytes) =>
      onProgress({ label: 'tables', done: before + bytes, total }),
    );
    if (triggered.has(name)) await client.query(`alter table ${quote(name)} enable trigger user`);
    before += table.sizeBytes;
  }
  await setSequences(client, sequences);
  return Object.keys(tables).filter((name) => !found.some((one) => one.name === name));
}

/** Tables with triggers, as schemas of earlier versions have them. */
async function findTriggered(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_trigger join pg_class as t on t.oid = tgrelid
    where not tgisinternal and relnamespace = current_schema()::regnamespace`);
  return new Set(rows.map(({ name }) => name));
}

async function loadTable(
  client: pg.Client,
  name: string,
  table: BackupManifest['tables'][string],
  folder: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const opened = await openFile(folder, table.file);
  const { bytes, result } = hashStream(opened.bytes);
  let read = 0;
  const counted = async function* () {
    for await (const part of bytes) {
      read += part.length;
      onBytes(read);
      yield part;
    }
  };
  const rows = client.query(
    copyFrom(`copy ${quote(name)} (${table.columns.map(quote).join(', ')}) from stdin`),
  );
  await pipeline(counted, createGunzip(), rows).catch(asDamaged(table.file, 'its rows'));
  if (rows.rowCount !== table.rows || result().sha256 !== table.sha256) {
    throw invalid(`${table.file} is damaged: it has ${rows.rowCount} of ${table.rows} rows.`, []);
  }
}

/** What PostgreSQL does not take of a backup (classes 22, 23, 42 and 54), or rows that are not compressed. */
const isRefused = ({ code }: { code?: string }): boolean => /^((22|23|42|54)...|Z_\w+)$/.test(code ?? '');

/** Throws what PostgreSQL says. It quotes values, which may hold codes of a terminal. */
const asDamaged = (file: string, refused: string) => (error: Error & { code?: string }) => {
  if (!isRefused(error)) throw error;
  const message = error.message.slice(0, MAX_MESSAGE).replace(/[\p{Cc}\p{Cf}]/gu, ' ');
  throw invalid(`${file} is damaged: PostgreSQL refuses ${refused} (${message}).`, []);
};

async function setSequences(client: pg.Client, sequences: BackupManifest['sequences']): Promise<void> {
  for (const [name, { last, isCalled }] of Object.entries(sequences)) {
    await client
      .query('select setval(to_regclass($1), $2, $3)', [quote(name), last, isCalled])
      .catch(asDamaged('manifest.json', `the sequence ${name}`));
  }
}
