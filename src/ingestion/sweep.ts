import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';

/** Longer than any document takes. */
const TEMP_FILE_MAX_AGE_HOURS = 24;

export interface SweepIngestionDependencies {
  db: Database;
  tempDir: string;
  clock: () => Date;
}

/** Removes what killed processes left behind: chunk drafts and temporary files. */
export const createSweepIngestion =
  ({ db, tempDir, clock }: SweepIngestionDependencies) =>
  async (): Promise<void> => {
    await sql`
    delete from chunk_drafts as draft
    where not exists (
      select from documents as d
      where d.tenant_id = draft.tenant_id and d.id = draft.document_id and d.status = 'processing')
  `.execute(unscoped(db, 'Drafts left by killed workers are deleted for all tenants at once.'));
    const before = clock().getTime() - TEMP_FILE_MAX_AGE_HOURS * 3_600_000;
    for (const name of await readdir(tempDir).catch(() => [])) {
      const file = path.join(tempDir, name);
      const written = await stat(file).catch(() => undefined);
      if (written && written.mtimeMs < before) await rm(file, { force: true });
    }
  };
