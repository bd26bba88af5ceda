import type { Queryable } from '../../../db/schema.js';
import { auditWrites, changedFields } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import type { ChunkRow } from './rows.js';

/** The audited fields of a chunk: of its text only the length. */
const auditedFields = ({
  documentId,
  status,
  deleted,
  keywords,
  keywordsEdited,
  content,
  revision,
}: ChunkRow) => ({
  documentId,
  status,
  deleted,
  keywords: keywordsEdited ? Object.keys(keywords) : null,
  contentLength: content.length,
  revision,
});

/** Audits the changes of chunks of one document. */
export async function auditChunkChanges(
  tx: Queryable,
  actor: Actor,
  action: string,
  before: ChunkRow[],
  after: ChunkRow[],
): Promise<void> {
  const [first] = after;
  if (!first) return;
  const former = new Map(before.map((row) => [row.id, row]));
  const entries = after.map((row) => {
    const { id, documentId: parentId, tenantUnitId } = row;
    const difference = changedFields(auditedFields(former.get(id) ?? row), auditedFields(row));
    return { action, tenantUnitId, subject: { type: 'chunk' as const, id }, parentId, ...difference };
  });
  await auditWrites(tx, first.tenantId, actor, entries);
}
