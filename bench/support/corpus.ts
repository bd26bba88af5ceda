import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { ANALYZER_VERSION, tokenize } from '../../src/search/ranking/analyze.js';
import { spellInSql } from './words.js';

/** Words of the invented language, and by rank the characters of its Chinese. */
export const WORDS = 400_000;
export const HAN = findHanCharacters(3_000);

/** The tenant with almost all chunks, and its units: one has a hundredth of them. */
export const TENANT = 'large';
export const UNITS = { main: 'main', small: 'small' };
export const DATASETS = Array.from({ length: 10 }, (_, i) => `dataset-${i}`);

const NEIGHBOUR_CHUNKS = 200;
export const CHUNKS_OF_A_DOCUMENT = 20;
/** Chunks of one statement. */
const STEP = 5_000;

/**
 * Makes chunks of invented text by statements in the database, with words as frequent and as rare as those of a language
 * (Zipf's law), and records them as changed. Each twentieth is Chinese. The same each time.
 *
 * @param options.neighbours number of small tenants besides
 */
export async function makeCorpus(
  db: Database,
  {
    chunks,
    neighbours,
    onProgress,
  }: { chunks: number; neighbours: number; onProgress: (made: number) => void },
): Promise<void> {
  await db.connection().execute(async (session) => {
    await sql`select setseed(0.5)`.execute(session);
    for (let first = 0; first < chunks; first += STEP) {
      const last = Math.min(first + STEP, chunks) - 1;
      await makeChunks(session, { number: 0, name: TENANT }, { first, last });
      onProgress(last + 1);
    }
    for (let number = 1; number <= neighbours; number++) {
      const range = { first: 0, last: NEIGHBOUR_CHUNKS - 1 };
      await makeChunks(session, { number, name: `neighbour-${number}` }, range);
    }
  });
}

async function makeChunks(
  db: Database,
  { number, name }: { number: number; name: string },
  { first, last }: { first: number; last: number },
): Promise<void> {
  const size = sql.lit(CHUNKS_OF_A_DOCUMENT);
  await sql`
    with numbers as materialized (
      select n, ${toId(number, 'c', sql`n`)} as id, d, ${toId(number, 'd', sql`d`)} as document,
        -- Each unit has documents in all datasets.
        case when d % 100 = d / 100 % 10 * 11 then ${UNITS.small} else ${UNITS.main} end as unit
      from generate_series(${first}::integer, ${last}::integer) as n
      cross join lateral (select n / ${size} as d) as of_document
    ), texts as materialized (
      select n, text.* from numbers cross join lateral (${words}) as text where n % ${size} <> 7
      union all
      select n, text.* from numbers cross join lateral (${han}) as text where n % ${size} = 7
    ), new_documents as (
      insert into documents (id, tenant_id, tenant_unit_id, document_name, document_type, status, source, chunk_count,
        custom_properties, dataset_ids, created_time, updated_time)
      select document, ${name}, unit, 'Document ' || d, 'UnstructuredFile', 'ready', 'content', count(*),
        -- As many in each dataset.
        jsonb_build_object('half', d / 10 % 2, 'hundredth', d / 10 % 100, 'number', d),
        array['dataset-' || d % ${sql.lit(DATASETS.length)}], now(), now()
      from numbers group by document, unit, d
      returning *
    ), new_datasets as (
      insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id, created_time)
      select tenant_id, tenant_unit_id, id, dataset_ids[1], created_time from new_documents
    ), new_names as (
      insert into document_names (tenant_id, tenant_unit_id, dataset_id, name_end, document_id)
      select tenant_id, tenant_unit_id, dataset_ids[1], name_end, id
      from new_documents cross join name_ends(document_name) as name_end
    ), new_properties as (
      insert into document_properties (tenant_id, entry, document_id)
      select tenant_id, entry, id
      from new_documents cross join property_entries(custom_properties, document_name, url) as entry
    ), new_chunks as (
      insert into chunks (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content, content_complement,
        keywords, metadata, created_time, updated_time)
      select id, ${name}, unit, document, n % ${size}, md5(id), content, '', '{}', ${metadata}, now(), now()
      from numbers join texts using (n)
    ), new_changes as (
      insert into posting_changes (tenant_id, document_id, chunk_ids)
      select ${name}, document, array_agg(id) from numbers group by document
    )
    insert into chunk_terms (chunk_id, tenant_id, terms, length, analyzer)
    select id, ${name}, terms, length, ${sql.lit(ANALYZER_VERSION)} from numbers join texts using (n)
  `.execute(db);
}

const toId = (tenant: number, kind: string, n: RawBuilder<unknown>) =>
  sql`${`${String(tenant).padStart(8, '0')}-0000-7000-8${kind.padEnd(3, '0')}-`} || lpad(${n}::text, 12, '0')`;

/** As chunks of a file have it, and what filters leave shares of them by. */
const metadata = sql`jsonb_build_object('file_directory', '', 'filename', 'document-' || d || '.txt',
  'filetype', 'text/plain', 'languages', '["en"]'::jsonb, 'last_modified', '2026-01-01T00:00:00.000Z', 'headings', '[]'::jsonb,
  'page_number', 1 + n % ${sql.lit(CHUNKS_OF_A_DOCUMENT)}, 'char_start', 900 * (n % ${sql.lit(CHUNKS_OF_A_DOCUMENT)}),
  'char_end', 900 * (n % ${sql.lit(CHUNKS_OF_A_DOCUMENT)}) + length(content),
  'half', n % 2, 'hundredth', n::bigint * 7919 % 100003 % 100, 'number', n)`;

const zipf = (count: number) => sql`floor(${sql.lit(count)} ^ random())::integer`;
/** Whole numbers from `least` on, different ones for each row of `n`. */
const upTo = (least: number, range: number) =>
  sql`generate_series(1, ${sql.lit(least)} + floor(${sql.lit(range)} * random())::integer + 0 * n)`;

/** 70 to 190 words, in sentences of twelve. */
const words = sql`
  select string_agg(word, case place % 12 when 0 then '. ' else ' ' end) as content, string_agg(word, ' ') as terms,
    count(*) as length
  from (
    select place, ${spellInSql(sql`rank`)} as word
    from (select place, ${zipf(WORDS)} as rank from ${upTo(70, 121)} as place) as ranks) as words`;

/** Four to nine runs of 6 to 16 characters; a run of n has n terms and n - 1 pairs. */
const han = sql`
  select string_agg(run, '，') as content, string_agg(run, ' ') as terms, sum(2 * size - 1) as length
  from ${upTo(4, 6)} as place
  cross join lateral (
    select string_agg(chr((${HAN.map((character) => character.codePointAt(0))}::integer[])[${zipf(HAN.length)}]), '')
        as run, count(*) as size
    from ${upTo(6, 11)} as character_place where place > 0) as runs`;

/** Those that stay what they are when text is analyzed. */
function findHanCharacters(count: number): string[] {
  const found: string[] = [];
  for (let code = 0x4e00; found.length < count; code++) {
    const character = String.fromCodePoint(code);
    if (tokenize(character)[0] === character) found.push(character);
  }
  return found;
}
