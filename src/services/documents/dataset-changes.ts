import { isDeepStrictEqual } from 'node:util';
import { toStoredDatasets } from '../../derived-data/write-datasets.js';
import { conflict, forbidden } from '../../errors/errors.js';
import { moveSearches } from '../datasets/move-searches.js';
import type { Actor } from '../shared/actor.js';
import { assertAtMost } from '../shared/pagination.js';
import type { TenantScope } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { auditDocumentChanges } from './audit.js';
import { createDocumentChange, type DocumentChangeDependencies } from './change.js';
import { assertInKeyDatasets } from './datasets.js';
import { type DatasetsChange, type DatasetsChanged, MAX_DATASETS_OF_DOCUMENT } from './documents.schema.js';
import { lockDocuments, visibleDatasets } from './rows.js';

export interface DatasetChangeDependencies extends DocumentChangeDependencies {
  writeTransaction: WriteTransaction;
  maxPageSize: number;
}

/** Moves documents between datasets. */
export function createDatasetChanges(dependencies: DatasetChangeDependencies) {
  const { writeTransaction, maxPageSize } = dependencies;
  const { change } = createDocumentChange(dependencies);
  return { setDatasetsMany };

  /** All of them or none. */
  async function setDatasetsMany(input: DatasetsChange, actor: Actor): Promise<DatasetsChanged> {
    const { scope, documentIds, add, remove } = input;
    assertAtMost(maxPageSize, documentIds.length, 'documentIds');
    assertInReach(scope, { add, remove });
    return writeTransaction({ scope, actor }, async (tx) => {
      const changed: DatasetsChanged['changed'] = [];
      const units = new Set<string>();
      for (const before of await lockDocuments(tx, input)) {
        const kept = before.datasetIds.filter((id) => !remove.includes(id));
        const datasetIds = toStoredDatasets([...kept, ...add]);
        if (isDeepStrictEqual(datasetIds, before.datasetIds)) continue;
        if (datasetIds.length > MAX_DATASETS_OF_DOCUMENT)
          throw conflict(`A document is in at most ${MAX_DATASETS_OF_DOCUMENT} datasets.`, ['add']);
        assertInKeyDatasets(scope, datasetIds);
        const { row: after } = await change(tx, before, { datasetIds }, actor);
        await auditDocumentChanges(tx, actor, 'documents.setDatasetsMany', { before, after });
        const had = visibleDatasets(before.datasetIds, scope);
        if (remove.some((id) => before.datasetIds.includes(id))) units.add(before.tenantUnitId);
        changed.push({ documentId: before.id, version: after.version, before: had });
      }
      const [[from, ...otherFrom], [to, ...otherTo]] = [remove, add];
      // Of several it is not known which takes the place of which.
      const isMove = from !== undefined && to !== undefined && otherFrom.length + otherTo.length === 0;
      if (isMove && units.size > 0)
        await moveSearches(tx, { tenantId: scope.tenantId, units: [...units], from, to });
      return { changed };
    });
  }
}

/** @throws DomainError `forbidden` at the first dataset that the key does not reach */
function assertInReach({ datasetIds: reach }: TenantScope, fields: Record<'add' | 'remove', string[]>): void {
  if (!reach) return;
  for (const [field, ids] of Object.entries(fields)) {
    const place = ids.findIndex((id) => !reach.includes(id));
    if (place >= 0) throw forbidden(`This API key has no access to dataset ${ids[place]}.`, [field, place]);
  }
}
