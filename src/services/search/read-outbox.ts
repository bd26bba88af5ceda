import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';

/** Chunks whose rows are looked up at a time, about. */
const MAX_CHUNKS = 20_000;

export interface AwaitedDocument {
  id: string;
  tenantId: string;
  chunkCount: number;
  /** All of its chunks if undefined. */
  chunkIds: string[] | undefined;
}

/** Of the rows of the outbox: why the index refused the chunk, null where that waits. */
export type Errors = (string | null)[];

/** What the outbox has of the documents' chunks that searches may answer with. */
export async function readOutbox<T extends AwaitedDocument>(
  db: Database,
  documents: T[],
): Promise<Map<T, Errors>> {
  const found = new Map<T, Errors>();
  for (const tenantId of new Set(documents.map((one) => one.tenantId))) {
    for (const some of inGroups(documents.filter((one) => one.tenantId === tenantId))) {
      const chunks = await readChunks(db, tenantId, some);
      const queued = await readQueued(db, tenantId, [...chunks.keys()]);
      for (const { chunkId, error } of queued) {
        for (const place of chunks.get(chunkId) ?? []) {
          const document = some[place] as T;
          found.set(document, [...(found.get(document) ?? []), error]);
        }
      }
    }
  }
  return found;
}

function* inGroups<T extends AwaitedDocument>(documents: T[]): Generator<T[]> {
  let [group, sum]: [T[], number] = [[], 0];
  for (const document of documents) {
    if (group.length > 0 && sum + document.chunkCount > MAX_CHUNKS) {
      yield group;
      [group, sum] = [[], 0];
    }
    group.push(document);
    sum += document.chunkCount;
  }
  if (group.length > 0) yield group;
}

/** The chunks that searches may answer with, and the places of the documents that wait for each. */
async function readChunks(
  db: Database,
  tenantId: string,
  documents: AwaitedDocument[],
): Promise<Map<string, number[]>> {
  const asked = documents.map(({ id, chunkIds }, place) => ({ place, id, chunk_ids: chunkIds }));
  const { rows } = await sql<{ place: number; id: string }>`
    select asked.place, c.id
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (place int, id text, chunk_ids text[])
    join chunks as c on c.tenant_id = ${tenantId} and c.document_id = asked.id
    where c.status = 'active' and not c.deleted and (asked.chunk_ids is null or c.id = any(asked.chunk_ids))
  `.execute(db);
  const places = new Map<string, number[]>();
  for (const { id, place } of rows) places.set(id, [...(places.get(id) ?? []), place]);
  return places;
}

async function readQueued(db: Database, tenantId: string, chunkIds: string[]) {
  const { rows } = await sql<{ chunkId: string; error: string | null }>`
    select chunk_id, error from search_outbox where tenant_id = ${tenantId} and chunk_id = any(${chunkIds}::text[])
  `.execute(db);
  return rows;
}
