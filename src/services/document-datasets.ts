import type { Queryable } from '../../db/schema.js';
import type { Placement } from './scope.js';

type DocumentPlace = Placement & { id: string };

/** Puts a new document into datasets. Datasets are only known by their ids; they need not exist before. */
export async function saveDatasets(
  tx: Queryable,
  document: DocumentPlace,
  datasetIds: string[],
): Promise<void> {
  if (datasetIds.length === 0) return;
  await tx
    .insertInto('documentDatasets')
    .values(
      datasetIds.map((datasetId) => ({
        tenantId: document.tenantId,
        tenantUnitId: document.tenantUnitId,
        documentId: document.id,
        datasetId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Puts a document into exactly the given datasets. */
export async function replaceDatasets(
  tx: Queryable,
  document: DocumentPlace,
  datasetIds: string[],
): Promise<void> {
  await tx
    .deleteFrom('documentDatasets')
    .where('tenantId', '=', document.tenantId)
    .where('documentId', '=', document.id)
    .execute();
  await saveDatasets(tx, document, datasetIds);
}
