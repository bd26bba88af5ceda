import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { deleteFromQueue, type QueuedChunk, unnestChunks } from './queue.js';
import type { QuantizedVector } from './vectors.js';

/** A text of a tenant that a chunk has. */
export interface HashedChunk extends QueuedChunk {
  text: string;
  hash: Buffer;
}

export interface NewVector extends QuantizedVector {
  tenantId: string;
  hash: Buffer;
  /** Whether the text was too long. */
  isCut: boolean;
}

export interface EmbeddedBatch {
  modelId: number;
  /** Whose texts have vectors now, new ones or such that were there. */
  chunks: HashedChunk[];
  vectors: NewVector[];
  /** That were spent on the vectors, by tenant. */
  usage: Map<string, { texts: number; tokens: number }>;
}

/** Which of the texts have a vector of the model already. */
export async function findEmbedded(
  db: Database,
  modelId: number,
  chunks: HashedChunk[],
): Promise<Set<HashedChunk>> {
  const { rows } = await sql<{ place: number }>`
    select asked.place
    from unnest(${chunks.map(({ tenantId }) => tenantId)}::text[], ${chunks.map(({ hash }) => hash)}::bytea[])
      with ordinality as asked (tenant_id, hash, place)
    cross join lateral (
      select from embeddings
      where tenant_id = asked.tenant_id and model_id = ${modelId} and hash = asked.hash limit 1) as e
  `.execute(db);
  return new Set(rows.map(({ place }) => chunks[place - 1] as HashedChunk));
}

/**
 * Stores vectors and takes their chunks out of the queue, unless their texts have changed since they were read.
 *
 * @param db without the query guard
 */
export async function storeVectors(
  db: Database,
  { modelId, chunks, vectors, usage }: EmbeddedBatch,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Whoever changes the text waits for this transaction, or has changed the revision.
    const { rows: present } = await sql<{ tenantId: string }>`
      select c.tenant_id from chunks as c, ${unnestChunks(chunks)} as done (tenant_id, chunk_id, revision)
      where c.tenant_id = done.tenant_id and c.id = done.chunk_id
      order by c.tenant_id, c.id for share of c
    `.execute(tx);
    // Of a tenant that is deleted meanwhile nothing is kept.
    const tenantIds = new Set(present.map(({ tenantId }) => tenantId));
    const kept = vectors.filter(({ tenantId }) => tenantIds.has(tenantId));
    await sql`
      insert into embeddings (tenant_id, model_id, hash, scale, vector, is_cut)
      select tenant_id, ${modelId}, hash, scale, vector, is_cut
      from unnest(${kept.map(({ tenantId }) => tenantId)}::text[], ${kept.map(({ hash }) => hash)}::bytea[],
        ${kept.map(({ scale }) => scale)}::real[], ${kept.map(({ bytes }) => bytes)}::bytea[],
        ${kept.map(({ isCut }) => isCut)}::boolean[]) as new (tenant_id, hash, scale, vector, is_cut)
      order by tenant_id, hash
      on conflict do nothing
    `.execute(tx);
    await sql`
      with done as (
        ${deleteFromQueue(chunks)}
        returning q.tenant_id, q.chunk_id
      )
      insert into chunk_texts (tenant_id, chunk_id, hash)
      select done.tenant_id, done.chunk_id, text.hash
      from done
      join unnest(${chunks.map(({ tenantId }) => tenantId)}::text[], ${chunks.map(({ chunkId }) => chunkId)}::text[],
        ${chunks.map(({ hash }) => hash)}::bytea[]) as text (tenant_id, chunk_id, hash)
        on text.tenant_id = done.tenant_id and text.chunk_id = done.chunk_id
      where exists (
        select from chunks as c where c.tenant_id = done.tenant_id and c.id = done.chunk_id and not c.deleted)
      on conflict (tenant_id, chunk_id) do update set hash = excluded.hash
    `.execute(tx);
    const spenders = [...usage.keys()].filter((tenantId) => tenantIds.has(tenantId));
    const spent = spenders.flatMap((tenantId) => usage.get(tenantId) ?? []);
    await sql`
      insert into embedding_usage as u (tenant_id, texts, tokens)
      select * from unnest(${spenders}::text[], ${spent.map(({ texts }) => texts)}::bigint[],
        ${spent.map(({ tokens }) => tokens)}::bigint[]) as spent (tenant_id, texts, tokens)
      order by tenant_id
      on conflict (tenant_id) do update set texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens
    `.execute(tx);
  });
}
