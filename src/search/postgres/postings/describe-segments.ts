import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Queryable } from '../../../../db/schema.js';
import { MESSAGES } from '../../messages/message-entries.js';
import { selectEntriesOf } from '../../messages/posted-messages.js';
import { lockTenant } from './merge.js';
import { SegmentMetadata } from './segment-metadata.js';
import { describedBy, writeMetadata } from './write-segment.js';

/** Chunks read at a time. */
const PAGE = 1_000;

export interface UndescribedSegment {
  tenantId: string;
  datasetId: string;
  id: number;
}

const isUndescribed = sql<boolean>`
  (has_metadata is null or (dataset_id = ${sql.lit(MESSAGES)} and has_message_metadata is null))`;

/** Segments of all tenants of which nobody has looked at the metadata: a former release wrote them. */
export const findUndescribed = (db: Database): Promise<UndescribedSegment[]> =>
  db.selectFrom('postingSegments').select(['tenantId', 'datasetId', 'id']).where(isUndescribed).execute();

/** Writes the metadata of a segment's chunks, unless another process writes segments of the tenant. */
export const describeSegment = (
  db: Database,
  segment: UndescribedSegment,
  signal?: AbortSignal,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (!(await lockTenant(tx, segment.tenantId))) return;
    const ofSegment = tx
      .selectFrom('postingSegments')
      .select('chunks')
      .where('tenantId', '=', segment.tenantId)
      .where('id', '=', segment.id)
      .where(isUndescribed);
    const found = await ofSegment.executeTakeFirst();
    if (!found) return;
    const metadata = new SegmentMetadata();
    for (let first = 0; first < found.chunks; first += PAGE) {
      signal?.throwIfAborted();
      for (const chunk of await readMetadata(tx, segment, first)) metadata.add(chunk.ordinal, chunk.metadata);
      await setImmediate();
    }
    const ordinals = Uint32Array.from({ length: found.chunks }, (_, ordinal) => ordinal);
    await writeMetadata(tx, { tenantId: segment.tenantId, segmentId: segment.id }, metadata.rows(ordinals));
    await tx
      .updateTable('postingSegments')
      .set(describedBy(segment, metadata.isComplete))
      .where('tenantId', '=', segment.tenantId)
      .where('id', '=', segment.id)
      .execute();
  });

async function readMetadata(
  tx: Queryable,
  { tenantId, datasetId, id }: UndescribedSegment,
  first: number,
): Promise<{ ordinal: number; metadata: object }[]> {
  const metadata =
    datasetId === MESSAGES
      ? selectEntriesOf(tenantId, sql`named.id`)
      : sql`select metadata from chunks where tenant_id = ${tenantId} and id = named.id limit 1`;
  const { rows } = await sql<{ ordinal: number; metadata: object }>`
    select named.ordinal, described.metadata
    from (
      select ordinal, encode(substring(chunk_ids from 16 * ordinal + 1 for 16), 'hex')::uuid::text as id
      from posting_segments
      cross join generate_series(${first}::integer, ${first + PAGE - 1}::integer) as ordinal
      where tenant_id = ${tenantId} and posting_segments.id = ${id} and ordinal < chunks
      offset 0) as named
    cross join lateral (${metadata}) as described
    order by named.ordinal
  `.execute(tx);
  return rows;
}
