import type { Queryable } from '../../db/schema.js';
import type { Actor } from './actor.js';
import { differenceOf, recordWrites } from './audit.js';
import type { ChunkRow } from './chunk-rows.js';

/** What the audit trail keeps of a chunk: its text is told by its length alone, as are words taken from it. */
const onRecord = ({
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

/** Writes down what changed of chunks of one document; of those that did not, nothing. */
export async function tellChanged(
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
    const { id, tenantUnitId } = row;
    const difference = differenceOf(onRecord(former.get(id) ?? row), onRecord(row));
    return { action, tenantUnitId, subject: { type: 'chunk' as const, id }, ...difference };
  });
  await recordWrites(tx, first.tenantId, actor, entries);
}
