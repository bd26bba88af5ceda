import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { ANALYZER_VERSION } from '../../src/search/ranking/analyze.js';

const TENANTS = ['red', 'green', 'blue', 'grey'];
const CHUNKS_OF_A_DOCUMENT = 20;
const WORDS = 40_000;
/** Words drawn for a chunk; some 150 of them are different. */
const DRAWN = 215;
/** Chunks of one statement. */
const STEP = 5_000;

/** Makes chunks that belong into the index, with terms as frequent and as rare as words of a language. */
export async function makeChunks(
  db: Database,
  count: number,
  onProgress: (made: number) => void,
): Promise<void> {
  for (let first = 0; first < count; first += STEP) {
    const last = Math.min(first + STEP, count) - 1;
    await makeRange(db, first, last);
    onProgress(last + 1);
  }
  await sql`analyze`.execute(db);
}

async function makeRange(db: Database, first: number, last: number): Promise<void> {
  await sql`
    with numbers as (
      select n, d, t.name as tenant,
        '00000000-0000-7000-8000-' || lpad(n::text, 12, '0') as id, 'document-' || d as document
      from generate_series(${first}::integer, ${last}::integer) as n
      cross join lateral (select n / ${sql.lit(CHUNKS_OF_A_DOCUMENT)} as d) as of_document
      join unnest(${TENANTS}::text[]) with ordinality as t (name, place)
        on t.place = 1 + d % ${sql.lit(TENANTS.length)}
    ), new_documents as (
      insert into documents (id, tenant_id, tenant_unit_id, document_type, status, source, created_time, updated_time)
      select distinct document, tenant, 'bench', 'UnstructuredFile', 'ready', 'content', now(), now() from numbers
      on conflict do nothing
    ), new_datasets as (
      insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id)
      select distinct tenant, 'bench', document, 'dataset-' || d % 10 from numbers
      on conflict do nothing
    ), new_chunks as (
      insert into chunks (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content, content_complement,
        keywords, metadata, created_time, updated_time)
      select id, tenant, 'bench', document, n, id, '', '', '{}', '{}', now(), now() from numbers
    )
    insert into chunk_terms (chunk_id, tenant_id, terms, length, analyzer)
    select id, tenant, drawn.terms, ${sql.lit(DRAWN)}, ${sql.lit(ANALYZER_VERSION)}
    from numbers
    cross join lateral (
      select string_agg(substr(md5(rank::text), 1, 3 + rank % 7), ' ') as terms
      from (select place, floor(${sql.lit(WORDS)} ^ random())::integer as rank
            from generate_series(1, ${sql.lit(DRAWN)} + 0 * n) as place) as words
    ) as drawn
  `.execute(db);
}
