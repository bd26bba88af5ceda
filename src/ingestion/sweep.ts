import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { PRUNE_BATCH, type Prune, pruneBatch } from '../../db/prune.js';
import type { Database, Queryable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';

/** Longer than any document takes. */
const TEMP_FILE_MAX_AGE_HOURS = 24;

interface DocumentKey {
  tenantId: string;
  documentId: string;
}

/** Deletes chunk drafts that killed workers left, document by document. */
export async function* deleteLeftDrafts(database: Database): Prune {
  const db = unscoped(database, 'Drafts left by killed workers are deleted for all tenants at once.');
  for (const document of await findLeftDrafts(db)) {
    for (let deleted: number | undefined = PRUNE_BATCH; deleted === PRUNE_BATCH; ) {
      deleted = await pruneBatch(db, (tx) => deleteSome(tx, document));
      if (deleted === undefined) return;
      yield deleted;
    }
  }
}

async function deleteSome(tx: Queryable, { tenantId, documentId }: DocumentKey): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from chunk_drafts where tenant_id = ${tenantId} and document_id = ${documentId}
      and ctid = any (array(
        select ctid from chunk_drafts where tenant_id = ${tenantId} and document_id = ${documentId}
        limit ${PRUNE_BATCH}))
      and not exists (
        select from documents where tenant_id = ${tenantId} and id = ${documentId} and status = 'processing')
  `.execute(tx);
  return Number(numAffectedRows);
}

/** The documents that have drafts and are not processed. */
async function findLeftDrafts(db: Queryable): Promise<DocumentKey[]> {
  const { rows } = await sql<DocumentKey>`
    select distinct tenant_id, document_id from chunk_drafts as draft
    where not exists (
      select from documents as d
      where d.tenant_id = draft.tenant_id and d.id = draft.document_id and d.status = 'processing')
  `.execute(db);
  return rows;
}

/** Removes temporary files, and folders with pictures, that killed processes left. */
export async function* removeLeftFiles({ tempDir, clock }: { tempDir: string; clock: () => Date }): Prune {
  const before = clock().getTime() - TEMP_FILE_MAX_AGE_HOURS * 3_600_000;
  for (const name of await readdir(tempDir).catch(() => [])) {
    const file = path.join(tempDir, name);
    const written = await stat(file).catch(() => undefined);
    if (written && written.mtimeMs < before) await rm(file, { recursive: true, force: true });
  }
}
