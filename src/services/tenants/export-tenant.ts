import path from 'node:path';
import { FILE_COLUMN } from '../../../db/catalog.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { type FileContent, writeNewFile, writeNewFileIfFound } from '../../local-files/new-file.js';
import { fillNewFolder } from '../../local-files/new-folder.js';
import { type FileStorage, isKey } from '../../storage/file-storage.js';
import { readFileKeys, readRowsAsJson, secretColumns } from './export-rows.js';
import {
  countTenantFiles,
  countTenantRows,
  readTenantTables,
  type TenantTable,
  tablesWithFiles,
} from './tenant-tables.js';

export interface ExportTenantOptions {
  db: Database;
  storage: Pick<FileStorage, 'read'>;
  tenantId: string;
  /** New or empty. */
  folder: string;
  /** Of the program and of the newest migration. */
  versions: { lectern: string; migration: string };
  clock: () => Date;
  onProgress?: (progress: { what: 'row' | 'file'; done: number; total: number }) => void;
}

interface ListedFile extends FileContent {
  /** Within the folder. */
  file: string;
}

export interface ExportManifest {
  format: 1;
  tenantId: string;
  /** When the rows were as they are exported. */
  time: Date;
  versions: { lectern: string; migration: string };
  tables: Record<string, ListedFile & { rows: number; leftOut: string[] }>;
  /** The list of the files, each with its size and SHA-256. */
  files: ListedFile & { count: number };
  /** Files that the storage does not have. */
  missingFiles: string[];
  secrets: string;
}

const SECRETS =
  'Hashes of API keys and sessions, secrets of webhooks and stored results of idempotent calls are left out: see leftOut of each table.';

/**
 * Writes everything of a tenant into a folder: its rows, as they were at one time, and its files. The manifest comes
 * last: without one the export is not complete. After a failure the folder is as it was.
 *
 * @throws DomainError `conflict` where the folder has something in it
 */
export const exportTenant = (options: ExportTenantOptions): Promise<ExportManifest> =>
  fillNewFolder(options.folder, ['tables', 'files'], () => exportInto(options));

async function exportInto(options: ExportTenantOptions): Promise<ExportManifest> {
  const { db, tenantId, folder, versions, clock } = options;
  const manifest = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx): Promise<ExportManifest> => {
      const tables = await readTenantTables(tx);
      const time = clock();
      const exported = await exportTables(tx, tables, options);
      const { missingFiles, ...files } = await exportFiles(tx, tables, options);
      return { format: 1, tenantId, time, versions, tables: exported, files, missingFiles, secrets: SECRETS };
    });
  await writeNewFile(path.join(folder, 'manifest.json'), one(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

async function exportTables(
  tx: Queryable,
  tables: TenantTable[],
  { tenantId, folder, onProgress = () => {} }: ExportTenantOptions,
): Promise<ExportManifest['tables']> {
  const counts = await countTenantRows(tx, tables, tenantId);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const exported: ExportManifest['tables'] = {};
  let done = 0;
  for (const table of [...tables].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = `tables/${table.name}.ndjson`;
    let rows = 0;
    const lines = async function* () {
      for await (const { line } of readRowsAsJson(tx, table, tenantId)) {
        rows += 1;
        done += 1;
        onProgress({ what: 'row', done, total });
        yield `${line}\n`;
      }
    };
    const written = await writeNewFile(path.join(folder, file), lines());
    exported[table.name] = { file, rows, ...written, leftOut: secretColumns(table) };
  }
  return exported;
}

async function exportFiles(
  tx: Queryable,
  tables: TenantTable[],
  options: ExportTenantOptions,
): Promise<ExportManifest['files'] & { missingFiles: string[] }> {
  const { tenantId, folder, storage, onProgress = () => {} } = options;
  const total = await countTenantFiles(tx, tables, tenantId);
  const missingFiles: string[] = [];
  let count = 0;
  const list = async function* () {
    for (const { name } of tablesWithFiles(tables)) {
      for await (const key of readFileKeys(tx, { name, fileColumn: FILE_COLUMN }, tenantId)) {
        const file = `files/${key}`;
        const written = isKey(key) && (await writeNewFileIfFound(path.join(folder, file), storage.read(key)));
        if (!written) {
          missingFiles.push(key);
          continue;
        }
        count += 1;
        onProgress({ what: 'file', done: count, total });
        yield `${JSON.stringify({ file, key, ...written })}\n`;
      }
    }
  };
  const file = 'files.ndjson';
  const written = await writeNewFile(path.join(folder, file), list());
  return { file, count, ...written, missingFiles };
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}
