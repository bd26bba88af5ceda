import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database, Queryable } from '../../db/schema.js';
import { ANALYZER_VERSION, analyzeQuery, isUnspaced, type Term, tenantMark } from './analyze.js';
import { bm25, type CorpusStatistics, type QueryTerms } from './bm25.js';
import type { Candidate, ChunkChanges, ChunkIndex, ChunkQuery, DraftedChunks } from './chunk-index.js';
import { quoteLexeme, termsOf } from './chunk-terms.js';

const BATCH = 500;
const MAX_QUERY_TERMS = 128;
/** Above this many chunks a term is common, whatever the exact number. */
const COUNT_LIMIT = 20_000;
/** How many candidates are ranked for each one asked for, and at least. */
const DEPTH = 10;
const MIN_CANDIDATES = 300;

export interface PostgresIndex extends ChunkIndex {
  /** Remakes the terms that an older analyzer made, batch by batch. Searches go on meanwhile. */
  reanalyze(): Promise<void>;
}

/**
 * Search in PostgreSQL itself. Terms are written in the same transaction as the chunk, so nothing can drift.
 *
 * A search takes two stages: the rarest matching terms pick candidates through the GIN index, then BM25 ranks
 * these. Terms carry a mark of their tenant, so that a search reads only its own tenant's part of the index.
 */
export function createPostgresIndex({ db }: { db: Database }): PostgresIndex {
  return { engine: 'postgres', search, apply, status, reanalyze };

  async function search(query: ChunkQuery): Promise<Candidate[]> {
    const terms = toQueryTerms(analyzeQuery(query.text, query.language));
    if (terms.terms.length === 0 || query.datasetIds.length === 0) return [];
    const corpus = await readStatistics(query.tenantId, terms.terms);
    const found = await findCandidates(query, terms.terms, corpus);
    const scores = bm25(terms, corpus, found);
    return found
      .map(({ chunkId }, i) => ({ chunkId, score: scores[i] ?? 0 }))
      .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, query.limit);
  }

  async function readStatistics(tenantId: string, terms: string[]): Promise<CorpusStatistics> {
    const lexemes = terms.map((term) => quoteLexeme(tenantId, term));
    const { rows } = await sql<{ size: number; averageLength: number; frequencies: number[] }>`
      select
        (select count(*) from chunk_terms where tenant_id = ${tenantId}) as size,
        (select coalesce(avg(length), 0)::float8 from chunk_terms where tenant_id = ${tenantId}) as average_length,
        (select json_agg((select count(*) from
            (select from chunk_terms where terms @@ lexeme::tsquery limit ${sql.lit(COUNT_LIMIT)}) as holders)
          order by place)
         from unnest(${lexemes}::text[]) with ordinality as asked (lexeme, place)) as frequencies
    `.execute(db);
    return rows[0] as CorpusStatistics;
  }

  async function findCandidates(query: ChunkQuery, terms: string[], corpus: CorpusStatistics) {
    const lexemes = terms.map((term) => quoteLexeme(query.tenantId, term));
    const held = (lexeme: string) => sql<SqlBool>`t.terms @@ ${lexeme}::tsquery`;
    const matched = sql.join(
      lexemes.map(
        (lexeme, i) => sql`case when ${held(lexeme)} then ${sql.lit(rarity(corpus, i))} else 0 end`,
      ),
      sql` + `,
    );
    const limit = Math.max(MIN_CANDIDATES, DEPTH * query.limit);
    const { rows } = await sql<{ chunkId: string; length: number; lexemes: string[]; places: number[][] }>`
      with candidates as materialized (
        select t.chunk_id, t.length, t.terms
        from chunk_terms as t
        join chunks as c on c.id = t.chunk_id and c.status = 'active' and not c.deleted
        join documents as d on d.tenant_id = t.tenant_id and d.id = t.document_id and d.enabled
        where t.terms @@ ${anyOf(lexemes)}
          and t.tenant_id = ${query.tenantId}
          and t.tenant_unit_id = any(${[query.tenantUnitId].flat()})
          and exists (
            select from document_datasets as s
            where s.tenant_id = t.tenant_id and s.document_id = t.document_id
              and s.dataset_id = any(${query.datasetIds}))
        order by ${matched} desc, t.length, t.chunk_id
        limit ${limit}
      )
      select chunk_id, length, json_agg(lexeme) as lexemes, json_agg(positions) as places
      from candidates, unnest(terms)
      where lexeme = any(${terms.map((term) => tenantMark(query.tenantId) + term)})
      group by chunk_id, length
    `.execute(db);
    const mark = tenantMark(query.tenantId).length;
    return rows.map(({ chunkId, length, lexemes: found, places }) => {
      const byTerm = new Map(found.map((lexeme, i) => [lexeme.slice(mark), places[i] ?? []]));
      return { chunkId, length, positions: terms.map((term) => byTerm.get(term) ?? []) };
    });
  }

  async function apply(tx: Queryable, { drafted, changed = [], removed = [] }: ChunkChanges): Promise<void> {
    if (drafted) await takeDraftedTerms(tx, drafted);
    for (let i = 0; i < changed.length; i += BATCH) await analyzeRows(tx, changed.slice(i, i + BATCH));
    if (removed.length > 0) await tx.deleteFrom('chunkTerms').where('chunkId', 'in', removed).execute();
  }

  async function reanalyze(): Promise<void> {
    for (;;) {
      const stale = await db
        .selectFrom('chunkTerms')
        .select('chunkId')
        .where('analyzer', '!=', ANALYZER_VERSION)
        .limit(BATCH)
        .execute();
      if (stale.length === 0) return;
      const ids = stale.map((row) => row.chunkId);
      await db.transaction().execute((tx) => analyzeRows(tx, ids));
    }
  }

  async function status() {
    return { engine: 'postgres', available: true };
  }
}

/** The terms of new chunks were made where their text was read. */
async function takeDraftedTerms(
  tx: Queryable,
  { tenantId, documentId, run, ids }: DraftedChunks,
): Promise<void> {
  await sql`
    insert into chunk_terms (chunk_id, tenant_id, tenant_unit_id, document_id, terms, length, analyzer)
    select id, tenant_id, tenant_unit_id, document_id, terms, terms_length, analyzer
    from chunk_drafts
    where tenant_id = ${tenantId} and document_id = ${documentId} and run = ${run} and id = any(${ids})
  `.execute(tx);
}

async function analyzeRows(tx: Queryable, chunkIds: string[]): Promise<void> {
  const chunks = await tx
    .selectFrom('chunks')
    .select(['id', 'tenantId', 'tenantUnitId', 'documentId', 'content', 'contentComplement', 'keywords'])
    .where('id', 'in', chunkIds)
    .execute();
  if (chunks.length === 0) return;
  const rows = chunks.map((chunk) => ({
    chunkId: chunk.id,
    tenantId: chunk.tenantId,
    tenantUnitId: chunk.tenantUnitId,
    documentId: chunk.documentId,
    ...termsOf(chunk.tenantId, chunk),
  }));
  await tx
    .insertInto('chunkTerms')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('chunkId').doUpdateSet((eb) => ({
        terms: eb.ref('excluded.terms'),
        length: eb.ref('excluded.length'),
        analyzer: eb.ref('excluded.analyzer'),
      })),
    )
    .execute();
}

function toQueryTerms(found: Term[]): QueryTerms {
  const terms = [...new Set(found.map(({ term }) => term))].slice(0, MAX_QUERY_TERMS);
  const place = new Map(terms.map((term, i) => [term, i]));
  const pairs: [number, number][] = [];
  const words = found.filter(({ term }) => !isUnspaced(term));
  words.forEach(({ term, position }, i) => {
    const next = words[i + 1];
    const [a, b] = [place.get(term), next && place.get(next.term)];
    if (a !== undefined && b !== undefined && next?.position === position + 1) pairs.push([a, b]);
  });
  return { terms, pairs };
}

const rarity = ({ size, frequencies }: CorpusStatistics, i: number) =>
  Number(Math.log(1 + size / ((frequencies[i] ?? 0) + 0.5)).toFixed(4));

const anyOf = (lexemes: string[]): RawBuilder<unknown> => sql`${lexemes.join(' | ')}::tsquery`;
