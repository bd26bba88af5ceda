import pg from 'pg';
import { TENANT } from '../support/corpus.js';
import type { Target } from './ask-in-rounds.js';
import { TOP_K } from './rest.js';

const TIMEOUT_MS = 20_000;
/** Code of PostgreSQL's error. */
const QUERY_CANCELED = '57014';

export interface TsvectorTable {
  target: Target;
  /** To build the table with its index. */
  seconds: number;
  drop(): Promise<void>;
}

/**
 * What one would write by hand: a table with a tsvector column and a GIN index, of the same chunks in the same database.
 * Any of the words may be there (`or`). Chinese is not asked: PostgreSQL's parser takes a run of it for one word.
 */
export async function createTsvectorTable(
  databaseUrl: string,
  options: Pick<Target, 'name' | 'maxRequests'>,
): Promise<TsvectorTable> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const begin = performance.now();
  await client.query(`
    create schema rival;
    create table rival.chunks as
      select c.id, c.tenant_id, c.tenant_unit_id, s.dataset_id, c.content, to_tsvector('simple', c.content) as terms
      from chunks as c join document_datasets as s using (tenant_id, document_id);
    create index on rival.chunks using gin (terms);
  `);
  const seconds = (performance.now() - begin) / 1000;
  await client.query(`set statement_timeout = ${TIMEOUT_MS}`);
  return {
    seconds,
    target: {
      ...options,
      async ask({ text, language, unit, datasets }) {
        if (language === 'chinese') return undefined;
        const since = performance.now();
        const hits = await search(client, [text.replaceAll(' ', ' or '), TENANT, unit, datasets, TOP_K]);
        return { milliseconds: performance.now() - since, hits: hits ?? 0, isTimeout: hits === undefined };
      },
    },
    async drop() {
      await client.query('drop schema rival cascade');
      await client.end();
    },
  };
}

/** @returns the number of hits; undefined after a timeout */
async function search(client: pg.Client, values: unknown[]): Promise<number | undefined> {
  try {
    const { rows } = await client.query(
      `select id, content, ts_rank(terms, query) as score
       from rival.chunks, websearch_to_tsquery('simple', $1) as query
       where terms @@ query and tenant_id = $2 and tenant_unit_id = $3 and dataset_id = any($4)
       order by score desc limit $5`,
      values,
    );
    return rows.length;
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return undefined;
    throw error;
  }
}
