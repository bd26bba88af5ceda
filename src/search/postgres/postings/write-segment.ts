import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';
import { MESSAGES } from '../../messages/message-entries.js';
import type { PostingRow, Segment } from './segment-builder.js';
import type { MetadataRow } from './segment-metadata.js';
import type { WordRow } from './segment-words.js';

/** Of one statement, made in less than 15 ms; other requests go on in between. */
const MAX_BYTES = 128 * 1024;
const MAX_ROWS = 1_000;
/** Of words or metadata, each of 2 to 4 kB. */
const BATCH_ROWS = 32;

/** A part of a tenant whose chunks share an index. */
export interface IndexedDataset {
  tenantId: string;
  tenantUnitId: string;
  datasetId: string;
}

/** The columns that say whether the metadata of a segment is indexed; of messages, a former release left the second out. */
export const describedBy = ({ datasetId }: Pick<IndexedDataset, 'datasetId'>, isComplete: boolean) => ({
  hasMetadata: isComplete,
  ...(datasetId === MESSAGES && { hasMessageMetadata: isComplete }),
});

/** Inserts a segment with its postings. */
export async function writeSegment(tx: Queryable, dataset: IndexedDataset, segment: Segment): Promise<void> {
  const { tenantId } = dataset;
  const { chunks, chunkIds, lengths, length, documents, buckets, hasMetadata } = segment;
  const { id } = await tx
    .insertInto('postingSegments')
    .values({ ...dataset, chunks, length, lengths, buckets, chunkIds, ...describedBy(dataset, hasMetadata) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeDocuments(tx, { tenantId, segmentId: id, chunks }, documents);
  let batch: PostingRow[] = [];
  let bytes = 0;
  for (const row of segment.rows) {
    batch.push(row);
    bytes += row.postings.length;
    if (bytes < MAX_BYTES && batch.length < MAX_ROWS) continue;
    await writeRows(tx, tenantId, id, batch);
    await setImmediate();
    [batch, bytes] = [[], 0];
  }
  await writeRows(tx, tenantId, id, batch);
  await inBatches(segment.words, (words) => insertWords(tx, tenantId, id, words));
  await writeMetadata(tx, { tenantId, segmentId: id }, segment.metadata);
}

/** Inserts which chunks of a segment have which metadata. */
export const writeMetadata = (
  tx: Queryable,
  segment: { tenantId: string; segmentId: number },
  rows: Generator<MetadataRow>,
): Promise<void> =>
  inBatches(rows, async (some) => {
    await tx
      .insertInto('postingSegmentMetadata')
      .values(some.map((row) => ({ ...segment, ...row })))
      .execute();
  });

/** The ordinals are sent as one value, four bytes each, and cut into pieces by the database. */
async function writeDocuments(
  tx: Queryable,
  { tenantId, segmentId, chunks }: { tenantId: string; segmentId: number; chunks: number },
  documents: Segment['documents'],
): Promise<void> {
  const bytes = Buffer.allocUnsafe(4 * chunks);
  let at = 0;
  for (const ordinals of documents.values())
    for (const ordinal of ordinals) at = bytes.writeUInt32BE(ordinal, at);
  await sql`
    insert into posting_segment_documents (tenant_id, document_id, segment_id, chunks, ordinals)
    select ${tenantId}, document_id, ${segmentId}, chunks, substring(bytes from 4 * start + 1 for 4 * chunks)
    from (select ${bytes}::bytea as bytes) as sent
    cross join (
      select document_id, chunks, (sum(chunks) over (order by place) - chunks)::integer as start
      from unnest(${[...documents.keys()]}::text[], ${[...documents.values()].map(({ length }) => length)}::integer[])
        with ordinality as counted (document_id, chunks, place)
    ) as cut
  `.execute(tx);
}

async function inBatches<T>(rows: Generator<T>, insert: (batch: T[]) => Promise<void>): Promise<void> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    await insert(batch);
    await setImmediate();
    batch = [];
  }
  if (batch.length > 0) await insert(batch);
}

async function insertWords(
  tx: Queryable,
  tenantId: string,
  segmentId: number,
  blocks: WordRow[],
): Promise<void> {
  await tx
    .insertInto('postingWords')
    .values(blocks.map((block) => ({ tenantId, segmentId, ...block })))
    .execute();
}

/** The postings are sent as one value, which is binary, and cut into pieces by the database. */
async function writeRows(
  tx: Queryable,
  tenantId: string,
  segmentId: number,
  rows: PostingRow[],
): Promise<void> {
  await sql`
    insert into posting_lists (tenant_id, segment_id, key, chunks, postings)
    select ${tenantId}, ${segmentId}, key, chunks, substring(bytes from start + 1 for size)
    from (select ${Buffer.concat(rows.map(({ postings }) => postings))}::bytea as bytes) as sent
    cross join (
      select key, chunks, size, (sum(size) over (order by place) - size)::integer as start
      from unnest(${rows.map(({ key }) => key)}::bigint[], ${rows.map(({ chunks }) => chunks)}::integer[],
        ${rows.map(({ postings }) => postings.length)}::integer[]) with ordinality as piece (key, chunks, size, place)
    ) as cut
  `.execute(tx);
}
