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
  let [done, total] = [0, 0];
  for (const table of tablesWithFiles(tables)) {
    const { rows } = await client.query(
      `select count(distinct ${FILE_COLUMN})::integer as count from ${table}`,
    );
    total += rows[0].count;
  }
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

/** Those whose rows name files; each is read by itself, as the nodes of a cluster have them. */
const tablesWithFiles = (tables: CatalogTable[]): string[] =>
  tables.filter(({ columns }) => columns.includes(FILE_COLUMN)).map(({ name }) => quote(name));

const keysIn = (table: string, condition: string): string =>
  `select distinct ${FILE_COLUMN} as key from ${table} where ${FILE_COLUMN} ${condition}`;

async function* readKeys(client: pg.Client, tables: CatalogTable[]): AsyncGenerator<string> {
  for (const table of tablesWithFiles(tables)) {
    await client.query(`declare file_keys no scroll cursor for ${keysIn(table, 'is not null')}`);
    for (;;) {
      const { rows } = await client.query<{ key: string }>(`fetch ${FETCH_SIZE} from file_keys`);
      for (const { key } of rows) yield key;
      if (rows.length < FETCH_SIZE) break;
    }
    await client.query('close file_keys');
  }
}

async function findNamed(client: pg.Client, tables: CatalogTable[], keys: string[]): Promise<Set<string>> {
  const named = new Set<string>();
  for (const table of tablesWithFiles(tables)) {
    const { rows } = await client.query<{ key: string }>(keysIn(table, '= any($1)'), [keys]);
    for (const { key } of rows) named.add(key);
  }
  return named;
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
