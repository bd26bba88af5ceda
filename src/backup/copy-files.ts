import { existsSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { type CatalogTable, FILE_COLUMN } from '../../db/catalog.js';
import { makeFolder, PRIVATE } from '../../db/folders.js';
import { conflict } from '../errors/errors.js';
import { writeNewFile, writeNewFileIfFound } from '../local-files/new-file.js';
import { type FileStorage, isKey } from '../storage/file-storage.js';
import { quote } from './connection.js';
import { eachAtOnce } from './each-at-once.js';
import { LIST, readFileList, toLine } from './file-list.js';
import { type BackupManifest, placeOf } from './manifest.js';
import type { OnProgress } from './progress.js';

export const FILES_AT_ONCE = 8;
const FETCH_SIZE = 1_000;
const COPIED = `${LIST}.partial`;

export interface CopyFilesOptions {
  storage: Pick<FileStorage, 'read'>;
  folder: string;
  onProgress: OnProgress;
}

/**
 * Copies the files that the rows of a snapshot name into the folder, but for those that it has.
 *
 * @returns those that the storage does not have
 */
export async function copyNewFiles(
  client: pg.Client,
  tables: CatalogTable[],
  { storage, folder, onProgress }: CopyFilesOptions,
): Promise<string[]> {
  const { rows } = await client.query(`select count(*)::integer as count from (${keysOf(tables)}) as named`);
  const total: number = rows[0].count;
  let done = 0;
  const missing: string[] = [];
  await eachAtOnce(FILES_AT_ONCE, readKeys(client, tables), async (key) => {
    if (!isKey(key))
      throw conflict(`A row names the file ${JSON.stringify(key)}, which is no key of the storage.`, []);
    const target = path.join(folder, placeOf(key));
    if (!existsSync(target)) {
      await makeFolder(path.dirname(target), PRIVATE);
      const content = await writeNewFileIfFound(target, storage.read(key));
      if (content) await appendFile(path.join(folder, COPIED), toLine({ key, ...content }), { mode: 0o600 });
      else missing.push(key);
    }
    onProgress({ label: 'files', done: ++done, total, unit: 'file' });
  });
  return missing;
}

/** Lists the copied files that the snapshot names, and removes the others. */
export async function finishFiles(
  client: pg.Client,
  tables: CatalogTable[],
  folder: string,
): Promise<BackupManifest['files']> {
  const copied = path.join(folder, COPIED);
  await appendFile(copied, '', { mode: 0o600 });
  let [count, bytes] = [0, 0];
  const named = async function* () {
    for await (const batch of inBatches(readFileList(folder, COPIED))) {
      const kept = await findNamed(
        client,
        tables,
        batch.map(({ key }) => key),
      );
      for (const file of batch) {
        if (!kept.has(file.key)) {
          await rm(path.join(folder, placeOf(file.key)));
          continue;
        }
        count += 1;
        bytes += file.sizeBytes;
        yield toLine(file);
      }
    }
  };
  const content = await writeNewFile(path.join(folder, LIST), named());
  await rm(copied);
  return { file: LIST, count, bytes, ...content };
}

/** A statement for the keys of all files that rows name. */
const keysOf = (tables: CatalogTable[]): string =>
  tables
    .filter(({ columns }) => columns.includes(FILE_COLUMN))
    .map(({ name }) => `select ${FILE_COLUMN} as key from ${quote(name)} where ${FILE_COLUMN} is not null`)
    .join(' union ');

async function* readKeys(client: pg.Client, tables: CatalogTable[]): AsyncGenerator<string> {
  await client.query(`declare file_keys no scroll cursor for ${keysOf(tables)}`);
  for (;;) {
    const { rows } = await client.query<{ key: string }>(`fetch ${FETCH_SIZE} from file_keys`);
    for (const { key } of rows) yield key;
    if (rows.length < FETCH_SIZE) break;
  }
  await client.query('close file_keys');
}

async function findNamed(client: pg.Client, tables: CatalogTable[], keys: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    `select key from (${keysOf(tables)}) as named where key = any($1)`,
    [keys],
  );
  return new Set(rows.map(({ key }) => key));
}

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < FETCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
