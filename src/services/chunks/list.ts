import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { whereDefined } from '../../../db/where-defined.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type { ChunkFilter, ListedChunk } from './chunks.schema.js';
import { findParentDocument, toChunk } from './rows.js';

/** Makes a function that lists the chunks of a document, in its order. */
export function createChunkList({ db, maxPageSize }: { db: Database; maxPageSize: number }) {
  return async function list(filter: ChunkFilter): Promise<Page<ListedChunk>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    await findParentDocument(db, filter);
    const matching = selectMatching(filter);
    const page = filter.around === undefined ? undefined : await findPage(filter, filter.around);
    const request = { page: page ?? filter.page, pageSize: filter.pageSize };
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy('ordinal')
        .orderBy('id')
        .limit(request.pageSize)
        .offset(offsetOf(request))
        .execute(),
    ]);
    return toPage(request, rows.map(toChunk), count);
  };

  function selectMatching({ scope, documentId, statuses, contains, edited, span }: ChunkFilter) {
    return db
      .selectFrom('chunks')
      .where(withinTenant(scope))
      .where('documentId', '=', documentId)
      .where('deleted', '=', false)
      .$call(whereDefined(statuses, (q, any) => q.where(sql<SqlBool>`status = any(${any})`)))
      .$call(whereDefined(edited, (q, is) => q.where('edited', '=', is)))
      .$call(
        whereDefined(span, (q, wanted) =>
          // What is no number does not compare.
          q.where(
            sql<SqlBool>`jsonb_path_exists(metadata, '$ ? (@.char_start < $end && @.char_end > $start)', ${JSON.stringify(wanted)}::jsonb)`,
          ),
        ),
      )
      .$call(
        whereDefined(contains, (q, text) =>
          q.where(sql<SqlBool>`strpos(lower(content), lower(${text})) > 0`),
        ),
      );
  }

  /** The page that a chunk is on; undefined where it does not match. */
  async function findPage(filter: ChunkFilter, chunkId: string): Promise<number | undefined> {
    const matching = selectMatching(filter);
    const chunk = await matching.select(['ordinal', 'id']).where('id', '=', chunkId).executeTakeFirst();
    if (!chunk) return undefined;
    const { before } = await matching
      .select((eb) => eb.fn.countAll<number>().as('before'))
      .where(sql<SqlBool>`(ordinal, id) < (${chunk.ordinal}, ${chunk.id})`)
      .executeTakeFirstOrThrow();
    return Math.floor(before / filter.pageSize) + 1;
  }
}
