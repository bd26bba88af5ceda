import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { quantize, toUnitLength } from '../../src/search/embedding/vectors.js';
import { makeVector } from './endpoint.js';

const BATCH = 1_000;
const SCALE = { related: 0.4, unrelated: 0 };

/** Stores vectors of no meaning for all chunks, as if a model had embedded them. */
export async function storeVectors(
  db: Database,
  { url, model, dimensions }: { url: string; model: string; dimensions: number },
): Promise<void> {
  const { id: modelId } = await db
    .insertInto('embeddingModels')
    .values({
      status: 'live',
      url,
      name: model,
      dimensions,
      queryPrefix: '',
      passagePrefix: '',
      scripts: ['Latin', 'Han'],
      cosines: JSON.stringify({ Latin: SCALE, Han: SCALE }),
      isFilled: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let last = { tenantId: '', id: '' }; ; ) {
    const { rows } = await sql<{ tenantId: string; id: string }>`
      select tenant_id, id from chunks where (tenant_id, id) > (${last.tenantId}, ${last.id})
      order by tenant_id, id limit ${BATCH}
    `.execute(db);
    if (rows.length === 0) return;
    last = rows.at(-1) as typeof last;
    const vectors = rows.map(({ id }) =>
      quantize(toUnitLength(Float32Array.from(makeVector(id, dimensions))) as Float32Array),
    );
    await sql`
      with new as (
        select * from unnest(${rows.map(({ tenantId }) => tenantId)}::text[], ${rows.map(({ id }) => id)}::text[],
          ${rows.map(({ id }) => createHash('sha256').update(id).digest())}::bytea[],
          ${vectors.map(({ scale }) => scale)}::real[], ${vectors.map(({ bytes }) => bytes)}::bytea[])
          as new (tenant_id, chunk_id, hash, scale, vector)
      ), texts as (
        insert into chunk_texts (tenant_id, chunk_id, hash) select tenant_id, chunk_id, hash from new
      )
      insert into embeddings (tenant_id, model_id, hash, scale, vector, is_cut)
      select tenant_id, ${modelId}, hash, scale, vector, false from new
    `.execute(db);
  }
}
