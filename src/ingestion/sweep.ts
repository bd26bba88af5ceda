import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { PRUNE_BATCH, type Prune, pruneBatch } from '../../db/prune.js';
import type { Database, Queryable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';

/** Longer than any document takes. */
const TEMP_FILE_MAX_AGE_HOURS = 24;

/** Deletes chunk drafts that killed workers left, document by document. */
export async function* deleteLeftDrafts(database: Database): Prune {
  const db = unscoped(database, 'Drafts left by killed workers are deleted for all tenants at once.');
  let place = { tenantId: '', documentId: '' };
  for (;;) {
    const next = await findLeftDrafts(db, place);
    if (!next) return;
    const deleted = await pruneBatch(db, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        delete from chunk_drafts where tenant_id = ${next.tenantId} and document_id = ${next.documentId}
          and ctid = any (array(
            select ctid from chunk_drafts where tenant_id = ${next.tenantId} and document_id = ${next.documentId}
            limit ${PRUNE_BATCH}))
          and not exists (
            select from documents where tenant_id = ${next.tenantId} and id = ${next.documentId} and status = 'processing')
      `.execute(tx);
      return Number(numAffectedRows);
    });
    if (deleted === undefined) return;
    yield deleted;
    // Another batch of the same document, if there may be one.
    if (deleted < PRUNE_BATCH) place = next;
  }
}

/** The first document from a place on that has drafts and is not processed; each document is one look-up in an index. */
async function findLeftDrafts(
  db: Queryable,
  after: { tenantId: string; documentId: string },
): Promise<{ tenantId: string; documentId: string } | undefined> {
  const { rows } = await sql<{ tenantId: string; documentId: string }>`
    with recursive drafted as (
      (select tenant_id, document_id from chunk_drafts
        where (tenant_id, document_id) > (${after.tenantId}, ${after.documentId})
        order by tenant_id, document_id limit 1)
      union all
      select next.* from drafted cross join lateral (
        select tenant_id, document_id from chunk_drafts as d
        where (d.tenant_id, d.document_id) > (drafted.tenant_id, drafted.document_id)
        order by tenant_id, document_id limit 1) as next
    )
    select tenant_id, document_id from drafted
    where not exists (
      select from documents as d
      where d.tenant_id = drafted.tenant_id and d.id = drafted.document_id and d.status = 'processing')
    limit 1
  `.execute(db);
  return rows[0];
}

/** Removes temporary files that killed processes left. */
export async function* removeLeftFiles({ tempDir, clock }: { tempDir: string; clock: () => Date }): Prune {
  const before = clock().getTime() - TEMP_FILE_MAX_AGE_HOURS * 3_600_000;
  for (const name of await readdir(tempDir).catch(() => [])) {
    const file = path.join(tempDir, name);
    const written = await stat(file).catch(() => undefined);
    if (written && written.mtimeMs < before) await rm(file, { force: true });
  }
}
