import type { Database } from '../../../db/schema.js';
import { notFound } from '../../errors/errors.js';
import type { SearchOperations } from '../../search/operations/search-operations.js';
import { auditWrites } from '../audit/audit.js';
import { withinDatasets } from '../documents/rows.js';
import type { Actor } from '../shared/actor.js';
import { assertAtMost } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import type { IndexRepair, SearchToExplain, TokenRequest } from './search-admin.schema.js';

/** There is one. */
const INDEX = 'chunks';

export interface SearchAdminDependencies {
  db: Database;
  operations: SearchOperations;
  writeTransaction: WriteTransaction;
  maxPageSize: number;
}

export type SearchAdmin = ReturnType<typeof createSearchAdmin>;

/** Search administration: status, settings, tasks, verification, and explanations of results. */
export function createSearchAdmin({
  db,
  operations,
  writeTransaction,
  maxPageSize,
}: SearchAdminDependencies) {
  const { status, settings, tasks, verify } = operations;
  return { status, settings, tasks, verify, repair, explain, createToken };

  /**
   * Has chunks that differ between database and index indexed again. What was repaired is audited, also if the client goes
   * and the rest is left.
   */
  async function repair({ scope }: IndexRepair, actor: Actor, signal?: AbortSignal) {
    let repaired = 0;
    let isComplete = false;
    const onRepair = (chunks: number) => {
      repaired += chunks;
    };
    try {
      const result = await operations.repair({ signal, onRepair });
      isComplete = true;
      return result;
    } finally {
      if (isComplete || repaired > 0) await auditRepair(scope, actor, { repaired, isComplete });
    }
  }

  function auditRepair({ tenantId }: IndexRepair['scope'], actor: Actor, after: object): Promise<void> {
    const subject = { type: 'searchIndex', id: INDEX } as const;
    const entry = { action: 'search.repair', subject, tenantUnitId: null, after };
    return writeTransaction({ scope: { tenantId }, actor: { ...actor, idempotency: undefined } }, (tx) =>
      auditWrites(tx, tenantId, actor, [entry]),
    );
  }

  /** Within what the key reaches, and no longer than it is valid. */
  function createToken({ scope, datasetIds }: TokenRequest, expiresTime: Date | null) {
    return operations.createToken({ ...scope, datasetIds: datasetIds ?? scope.datasetIds }, expiresTime);
  }

  async function explain({ scope, datasetIds, query, topK, language, mode, filter, chunk }: SearchToExplain) {
    assertAtMost(maxPageSize, topK, 'topK');
    if (chunk) await assertVisible(scope, chunk);
    return operations.explain(
      { ...scope, datasetIds, text: query, language, mode, filter, limit: topK },
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
