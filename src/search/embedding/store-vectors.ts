import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { groupByTenant } from '../indexing/group-by-tenant.js';
import { deleteFromQueue, type QueuedChunk } from './queue.js';
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
    join embeddings as e on e.tenant_id = asked.tenant_id and e.model_id = ${modelId} and e.hash = asked.hash
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
  const vectorsByTenant = groupByTenant(vectors);
  for (const [tenantId, own] of groupByTenant(chunks)) {
    await db.transaction().execute(async (tx) => {
      // Of a tenant that is deleted meanwhile nothing is kept.
      const isPresent = await lockChunks(tx, tenantId, own);
      if (isPresent)
        await insertVectors(tx, { tenantId, modelId, vectors: vectorsByTenant.get(tenantId) ?? [] });
      const { rows: done } = await sql<{ chunkId: string }>`
        ${deleteFromQueue(own)} returning q.chunk_id
      `.execute(tx);
      const unchanged = new Set(done.map(({ chunkId }) => chunkId));
      await setTexts(
        tx,
        tenantId,
        own.filter(({ chunkId }) => unchanged.has(chunkId)),
      );
      const spent = usage.get(tenantId);
      if (isPresent && spent) await addUsage(tx, tenantId, spent);
    });
  }
}

/** Whoever changes the text waits for this transaction, or has changed the revision. @returns whether any is there */
async function lockChunks(tx: Queryable, tenantId: string, chunks: HashedChunk[]): Promise<boolean> {
  const { rows } = await sql`
    select from chunks
    where tenant_id = ${tenantId} and id = any(${chunks.map(({ chunkId }) => chunkId)}::text[])
    order by id for share
  `.execute(tx);
  return rows.length > 0;
}

async function insertVectors(
  tx: Queryable,
  { tenantId, modelId, vectors }: { tenantId: string; modelId: number; vectors: NewVector[] },
): Promise<void> {
  if (vectors.length === 0) return;
  await sql`
    insert into embeddings (tenant_id, model_id, hash, scale, vector, is_cut)
    select ${tenantId}, ${modelId}, hash, scale, vector, is_cut
    from unnest(${vectors.map(({ hash }) => hash)}::bytea[], ${vectors.map(({ scale }) => scale)}::real[],
      ${vectors.map(({ bytes }) => bytes)}::bytea[], ${vectors.map(({ isCut }) => isCut)}::boolean[])
      as new (hash, scale, vector, is_cut)
    order by hash
    on conflict do nothing
  `.execute(tx);
}

async function setTexts(tx: Queryable, tenantId: string, chunks: HashedChunk[]): Promise<void> {
  if (chunks.length === 0) return;
  await sql`
    insert into chunk_texts (tenant_id, chunk_id, hash)
    select c.tenant_id, c.id, text.hash
    from unnest(${chunks.map(({ chunkId }) => chunkId)}::text[], ${chunks.map(({ hash }) => hash)}::bytea[])
      as text (chunk_id, hash)
    join chunks as c on c.tenant_id = ${tenantId} and c.id = text.chunk_id and not c.deleted
    on conflict (tenant_id, chunk_id) do update set hash = excluded.hash
  `.execute(tx);
}

async function addUsage(
  tx: Queryable,
  tenantId: string,
  { texts, tokens }: { texts: number; tokens: number },
): Promise<void> {
  await sql`
    insert into embedding_usage as u (tenant_id, texts, tokens) values (${tenantId}, ${texts}, ${tokens})
    on conflict (tenant_id) do update set texts = u.texts + excluded.texts, tokens = u.tokens + excluded.tokens
  `.execute(tx);
}
