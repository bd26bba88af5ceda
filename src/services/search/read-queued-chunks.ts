import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';

/** A document of a tenant, or some of its chunks. */
export interface AskedChunks {
  documentId: string;
  chunkIds?: string[] | undefined;
}

export interface QueuedChunks {
  /** Whether the index waits for some of them. */
  isQueued: boolean;
  /** Whether it has refused some of them. */
  isQuarantined: boolean;
}

/** What an external index lacks of the chunks that searches may answer with, in the order of `asked`. */
export async function readQueuedChunks(
  db: Queryable,
  tenantId: string,
  asked: AskedChunks[],
): Promise<QueuedChunks[]> {
  // The chunks first: on a cluster those of another transaction are seen after what it has queued.
  const chunks = await readChunks(db, tenantId, asked);
  const { rows } = await sql<{ chunkId: string; isQuarantined: boolean }>`
    select chunk_id, error is not null as is_quarantined from search_outbox
    where tenant_id = ${tenantId} and chunk_id = any(${[...new Set(chunks.map(({ id }) => id))]}::text[])
  `.execute(db);
  const queued = new Map(rows.map(({ chunkId, isQuarantined }) => [chunkId, isQuarantined]));
  const found = asked.map((): QueuedChunks => ({ isQueued: false, isQuarantined: false }));
  for (const { place, id } of chunks) {
    const isQuarantined = queued.get(id);
    const one = found[place];
    if (one && isQuarantined !== undefined) one[isQuarantined ? 'isQuarantined' : 'isQueued'] = true;
  }
  return found;
}

async function readChunks(
  db: Queryable,
  tenantId: string,
  asked: AskedChunks[],
): Promise<{ place: number; id: string }[]> {
  const places = JSON.stringify(
    asked.map(({ documentId, chunkIds }, place) => ({ place, document_id: documentId, chunk_ids: chunkIds })),
  );
  const { rows } = await sql<{ place: number; id: string }>`
    select asked.place, c.id
    from chunks as c
    join jsonb_to_recordset(${places}::jsonb) as asked (place int, document_id text, chunk_ids text[])
      on asked.document_id = c.document_id and (asked.chunk_ids is null or c.id = any(asked.chunk_ids))
    where c.tenant_id = ${tenantId} and c.document_id = any(${asked.map(({ documentId }) => documentId)}::text[])
      and c.status = 'active' and not c.deleted
  `.execute(db);
  return rows;
}
