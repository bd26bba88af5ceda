import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';

/** Chunks whose text has no vector of the live model. */
export async function countMissingVectors(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from chunks as c
    where not c.deleted and not exists (
      select from chunk_texts as t
      join embeddings as e on e.tenant_id = t.tenant_id and e.hash = t.hash
      join embedding_models as m on m.id = e.model_id and m.status = 'live'
      where t.tenant_id = c.tenant_id and t.chunk_id = c.id)
  `.execute(db);
  return rows[0]?.count ?? 0;
}
