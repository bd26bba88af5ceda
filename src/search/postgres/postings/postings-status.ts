import { sql } from 'kysely';
import type { Queryable } from '../../../../db/schema.js';
import type { PostingsStatus } from '../../operations/search-operations.js';
import { ANALYZER_VERSION } from '../../ranking/analyze.js';

/** The state of the postings of all tenants. */
export async function readPostingsStatus(db: Queryable): Promise<PostingsStatus> {
  const { rows } = await sql<PostingsStatus>`
    select (select count(*) from posting_segments) as segments,
      (select count(*) from posting_changes) as changes,
      (select count(*) from chunk_terms where analyzer < ${ANALYZER_VERSION}) as stale
  `.execute(db);
  return rows[0] as PostingsStatus;
}
