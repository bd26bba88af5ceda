import type { Database } from '../../../db/schema.js';
import { notFound } from '../../errors.js';
import type { SearchOperations } from '../../search/operations/search-operations.js';
import { withinDatasets } from '../documents/rows.js';
import { assertAtMost } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type { SearchToExplain } from './search-admin.schema.js';

export interface SearchAdminDependencies {
  db: Database;
  operations: SearchOperations;
  maxPageSize: number;
}

export type SearchAdmin = ReturnType<typeof createSearchAdmin>;

/** Search administration: status, settings, tasks, verification, and explanations of results. */
export function createSearchAdmin({ db, operations, maxPageSize }: SearchAdminDependencies) {
  const { status, settings, tasks, verify } = operations;
  return { status, settings, tasks, verify, explain };

  async function explain({ scope, datasetIds, query, topK, language, mode, chunk }: SearchToExplain) {
    assertAtMost(maxPageSize, topK, 'topK');
    if (chunk) await assertVisible(scope, chunk);
    return operations.explain(
      { ...scope, datasetIds, text: query, language, mode, limit: topK },
      { chunkId: chunk?.chunkId },
    );
  }

  /** What a key does not reach is as if it were not there. */
  async function assertVisible(
    scope: SearchToExplain['scope'],
    { documentId, chunkId }: NonNullable<SearchToExplain['chunk']>,
  ): Promise<void> {
    const found = await db
      .selectFrom('chunks')
      .innerJoin('documents', (join) =>
        join
          .onRef('documents.tenantId', '=', 'chunks.tenantId')
          .onRef('documents.id', '=', 'chunks.documentId'),
      )
      .select('chunks.id')
      .where(withinTenant(scope, 'chunks'))
      .where(withinDatasets(scope))
      .where('chunks.documentId', '=', documentId)
      .where('chunks.id', '=', chunkId)
      .executeTakeFirst();
    if (!found) throw notFound('Chunk', ['chunk', 'chunkId']);
  }
}
