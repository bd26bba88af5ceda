import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { connectDatabase } from '../../../db/client.js';
import type { Prune } from '../../../db/prune.js';
import { deleteLeftDrafts, removeLeftFiles } from '../../../src/ingestion/sweep.js';
import { sweepFiles as sweepStorage } from '../../../src/services/files/sweep-files.js';
import { createLocalDisk } from '../../../src/storage/local-disk.js';
import { documentKey, type Model } from '../model/model.js';
import type { Topology } from '../topology/topology.js';
import type { Sql } from './database.js';

/** Two days from now: everything that was left is old enough by then. */
const later = () => new Date(Date.now() + 2 * 86_400_000);

async function drain(prune: Prune): Promise<void> {
  for await (const _ of prune);
}

/** Sweeps as a worker does once an hour. */
export async function sweepFiles({ postgres, filesFolder, dataFolder }: Topology): Promise<void> {
  const { db, close } = connectDatabase(postgres.url, { max: 2 });
  try {
    await drain(sweepStorage({ db, storage: createLocalDisk(filesFolder), clock: later }));
    await drain(deleteLeftDrafts(db));
    await drain(removeLeftFiles({ tempDir: path.join(dataFolder, 'tmp'), clock: later }));
  } finally {
    await close();
  }
}

/**
 * Compares the folder of files with the rows that name them, and each file with what was uploaded.
 *
 * @returns how many there are
 */
export async function checkFiles(topology: Topology, sql: Sql, model: Model): Promise<number> {
  const { filesFolder, dataFolder } = topology;
  const found = new Map<string, string>();
  for (const entry of await readdir(filesFolder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) found.set(entry.name, path.join(entry.parentPath, entry.name));
  }
  const rows = await sql.select<{ tenantId: string; name: string; key: string }>(`
    select d.tenant_id as "tenantId", d.document_name as name, s.file_key as key
    from document_sources as s join documents as d on d.tenant_id = s.tenant_id and d.id = s.document_id
    where s.file_key is not null`);
  const records = await sql.select<{ key: string }>(`
    select file_key as key from user_erasures where file_key is not null`);
  for (const { key } of records) if (!found.has(key)) model.faults.push(`the erasure record ${key} is gone`);
  const owned = new Set([...rows, ...records].map(({ key }) => key));
  for (const key of found.keys()) if (!owned.has(key)) model.faults.push(`the file ${key} has no row`);
  const owners = new Set(rows.map(documentKey));
  for (const document of model.documents.values()) {
    const { name, exists, content } = document;
    // What was uploaded and not replaced has a row.
    const mustHave = exists.value && content.isCertain() && content.value.sha256 !== undefined;
    if (mustHave && !owners.has(documentKey(document))) model.faults.push(`${name} has lost its file`);
  }
  for (const row of rows) {
    const file = found.get(row.key);
    if (!file) {
      model.faults.push(`${row.name} has no file`);
      continue;
    }
    const wanted = model.documents.get(documentKey(row))?.content.possible();
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    if (wanted && !wanted.some((content) => content.sha256 === sha256)) {
      model.faults.push(`the file of ${row.name} is not what was uploaded`);
    }
  }
  for (const name of await readdir(path.join(dataFolder, 'tmp')).catch(() => [])) {
    model.faults.push(`the temporary file ${name} is left`);
  }
  return rows.length;
}
