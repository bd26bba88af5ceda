import type { Database } from '../../db/schema.js';
import { notFound } from '../errors.js';
import type { SearchOperations } from '../search/operations.js';
import { assertWithin } from './paging.js';
import { inScope } from './scope.js';
import type { SearchToExplain } from './search-console.schema.js';

export interface SearchConsoleDependencies {
  db: Database;
  operations: SearchOperations;
  maxPageSize: number;
}

export type SearchConsole = ReturnType<typeof createSearchConsole>;

/** What a console shows of the search, and why a search finds what it finds. */
export function createSearchConsole({ db, operations, maxPageSize }: SearchConsoleDependencies) {
  const { status, settings, tasks, verify } = operations;
  return { status, settings, tasks, verify, explain };

  async function explain({ scope, datasetIds, query, topK, language, chunk }: SearchToExplain) {
    assertWithin(maxPageSize, topK, 'topK');
    if (chunk) await assertVisible(scope, chunk);
    return operations.explain(
      { ...scope, datasetIds, text: query, language, limit: topK },
      { chunkId: chunk?.chunkId },
    );
  }

  async function assertVisible(
    scope: SearchToExplain['scope'],
    { documentId, chunkId }: NonNullable<SearchToExplain['chunk']>,
  ): Promise<void> {
    const found = await db
      .selectFrom('chunks')
      .select('id')
      .where(inScope(scope))
      .where('documentId', '=', documentId)
      .where('id', '=', chunkId)
      .executeTakeFirst();
    if (!found) throw notFound('Chunk', ['chunk', 'chunkId']);
  }
}
