import { sql } from 'kysely';
import type { ChunkMetadata, Database, Queryable } from '../../../db/schema.js';
import { writeChunkChanges } from '../../search/indexing/index-writer.js';
import { ServiceOutageError } from '../ingestion-error.js';

/** A chunk as it was split off, before it has an id. */
export interface NewChunk {
  content: string;
  contentComplement: string;
  keywords: Record<string, number>;
  metadata: ChunkMetadata;
}

/**
 * One processing attempt of a document. Drafts belong to an attempt, so concurrent attempts do not interfere.
 */
export interface ProcessingAttempt {
  tenantId: string;
  tenantUnitId: string;
  /** The document's. */
  id: string;
  attemptId: string;
}

/**
 * Inserts a batch of chunk drafts.
 *
 * @param batch a JSON array of objects that have the columns of `chunk_drafts`, from the sandbox
 * @returns how many there were
 */
export async function insertDrafts(
  db: Database,
  { tenantId, id, attemptId }: ProcessingAttempt,
  batch: string,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into chunk_drafts (tenant_id, tenant_unit_id, document_id, run, ordinal, id, source_hash, content,
      content_complement, keywords, metadata, terms, words, terms_length, analyzer)
    select d.tenant_id, d.tenant_unit_id, d.id, ${attemptId}, draft.*
    from documents as d
    cross join json_to_recordset(${batch}::json) as draft (
      ordinal int, id text, source_hash text, content text, content_complement text, keywords json,
      metadata jsonb, terms text, words text, terms_length int, analyzer int)
    where d.tenant_id = ${tenantId} and d.id = ${id}
  `.execute(db);
  return Number(numAffectedRows);
}

/** Deletes the drafts of an attempt; those of another attempt at the same document stay. */
export async function deleteDrafts(
  db: Queryable,
  { tenantId, id, attemptId }: Pick<ProcessingAttempt, 'tenantId' | 'id' | 'attemptId'>,
): Promise<void> {
  await db
    .deleteFrom('chunkDrafts')
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', id)
    .where('run', '=', attemptId)
    .execute();
}

/**
 * Replaces a document's chunks by the drafts of an attempt, in one transaction with the index. A chunk whose
 * source text is unchanged keeps its id, edits, status and deletion; its position, headings and metadata are
 * updated.
 *
 * @param expected how many drafts were added
 * @returns number of chunks that are not deleted, and how many more there are; the caller counts these
 * @throws OutageError when drafts are missing, as after a crash of the database
 */
export async function replaceChunks(
  tx: Queryable,
  document: ProcessingAttempt,
  { expected, now }: { expected: number; now: Date },
): Promise<{ chunkCount: number; added: number }> {
  const { tenantId, id: documentId, attemptId } = document;
  const ofDocument = sql`tenant_id = ${tenantId} and document_id = ${documentId}`;
  const drafts = sql`(select * from chunk_drafts where ${ofDocument} and run = ${attemptId})`;
  // These rows have no planner statistics; underestimated, they would be joined by nested loops.
  await sql`set local enable_nestloop = off`.execute(tx);
  await sql`select count(*) from (select from chunks where ${ofDocument} for update) as locked`.execute(tx);

  // The nth draft of a text becomes the nth chunk that was made of it.
  const { rows: counted } = await sql<{ count: number }>`
    with kept as (
      select draft.ordinal, present.id
      from (select ordinal, source_hash, row_number() over (partition by source_hash order by ordinal) as nth
            from ${drafts} as d) as draft
      join (select id, source_hash, row_number() over (partition by source_hash order by ordinal) as nth
            from chunks where ${ofDocument}) as present using (source_hash, nth)
    ), renamed as (
      update chunk_drafts as d set id = kept.id from kept
      where d.tenant_id = ${tenantId} and d.document_id = ${documentId} and d.run = ${attemptId}
        and d.ordinal = kept.ordinal
    )
    select count(*) as count from ${drafts} as d
  `.execute(tx);
  if (counted[0]?.count !== expected) {
    throw new ServiceOutageError('interrupted', 'Processing was interrupted; it is tried again.');
  }

  const { rows: removed } = await sql<{ id: string }>`
    delete from chunks as c where ${ofDocument}
      and not exists (select from ${drafts} as d where d.id = c.id)
    returning id
  `.execute(tx);
  const { rows: changed } = await sql<{ id: string; edited: boolean; readsOtherwise: boolean }>`
    with changed as (
      select c.id, c.edited, c.content_complement <> d.content_complement and not c.deleted as reads_otherwise,
        c.metadata <> d.metadata and not c.deleted as is_described_otherwise, d.ordinal, d.content_complement, d.metadata
      from chunks as c join ${drafts} as d on d.id = c.id
      where c.tenant_id = ${tenantId} and c.document_id = ${documentId}
        and (c.ordinal, c.content_complement, c.metadata)
          is distinct from (d.ordinal, d.content_complement, d.metadata)
    ), placed as (
      update chunks as c
      set ordinal = changed.ordinal, content_complement = changed.content_complement, metadata = changed.metadata,
        revision = c.revision + changed.reads_otherwise::integer
      from changed where c.id = changed.id and c.tenant_id = ${tenantId}
    )
    select id, edited, reads_otherwise from changed where reads_otherwise or is_described_otherwise
  `.execute(tx);
  const { rows: created } = await sql<{ id: string }>`
    insert into chunks as added (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content,
      content_complement, keywords, metadata, created_time, updated_time)
    select id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content,
      content_complement, keywords, metadata, ${now}::timestamptz, ${now}::timestamptz
    from ${drafts} as d
    where not exists (select from chunks as c where c.tenant_id = ${tenantId} and c.document_id = ${documentId}
      and c.id = d.id)
    order by ordinal
    returning added.id
  `.execute(tx);
  const idsOf = (chunks: { id: string }[]) => chunks.map(({ id }) => id);
  const moved = changed.filter(({ readsOtherwise }) => readsOtherwise);
  const unedited = moved.filter(({ edited }) => !edited);
  await writeChunkChanges(tx, {
    tenantId,
    documentId,
    drafted: { attemptId, chunkIds: idsOf([...created, ...unedited]) },
    edited: idsOf(moved.filter(({ edited }) => edited)),
    described: idsOf(changed.filter(({ readsOtherwise }) => !readsOtherwise)),
    removed: idsOf(removed),
  });
  await deleteDrafts(tx, document);

  const { count } = await tx
    .selectFrom('chunks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', documentId)
    .where('deleted', '=', false)
    .executeTakeFirstOrThrow();
  return { chunkCount: count, added: created.length - removed.length };
}
