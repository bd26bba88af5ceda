import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { quoteLexeme } from './analyze.js';
import type { CorpusStatistics } from './bm25.js';

/** Above this many chunks a term is common, whatever the exact number. */
const COUNT_LIMIT = 20_000;

/** How many chunks a tenant has, how long they are, and how many of them hold each term. */
export async function readCorpusStatistics(
  db: Database,
  tenantId: string,
  terms: string[],
): Promise<CorpusStatistics> {
  const lexemes = terms.map((term) => quoteLexeme(tenantId, term));
  const { rows } = await sql<CorpusStatistics>`
    select size, length / greatest(size, 1)::float8 as average_length,
      (select json_agg((select count(*) from
          (select from chunk_terms where tenant_id = ${tenantId} and terms @@ lexeme::tsquery
           limit ${sql.lit(COUNT_LIMIT)}) as holders)
        order by place)
       from unnest(${lexemes}::text[]) with ordinality as asked (lexeme, place)) as frequencies
    from (select coalesce(sum(chunks), 0)::bigint as size, coalesce(sum(length), 0)::bigint as length
          from corpus_statistics where tenant_id = ${tenantId}) as corpus
  `.execute(db);
  return rows[0] as CorpusStatistics;
}

export interface TermFrequency {
  term: string;
  /** How many of the tenant's chunks hold it. */
  frequency: number;
}

/** The terms that occur in the tenant's chunks, rarest first. */
export const sortByRarity = (terms: string[], { frequencies }: CorpusStatistics): TermFrequency[] =>
  terms
    .map((term, i) => ({ term, frequency: frequencies[i] ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency);
