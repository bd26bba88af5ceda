import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../db/schema.js';
import { TENANT } from '../support/corpus.js';

/** Uploads of random bytes, which nothing compresses, in the storage of a data folder. */
export async function addFiles({
  db,
  dataDir,
  files,
  bytes,
}: {
  db: Database;
  dataDir: string;
  files: number;
  bytes: number;
}): Promise<void> {
  const sizeBytes = Math.ceil(bytes / files);
  for (let i = 0; i < files; i++) {
    const fileKey = randomUUID();
    const folder = path.join(dataDir, 'files', fileKey.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, fileKey), randomBytes(sizeBytes));
    const row = {
      id: randomUUID(),
      tenantId: TENANT,
      fileKey,
      sizeBytes,
      sha256: '',
      createdTime: new Date(),
    };
    await db.insertInto('uploads').values(row).execute();
  }
}
