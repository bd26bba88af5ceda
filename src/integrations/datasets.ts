import { TRPCError } from '@trpc/server';
import { invalid, notFound } from '../errors/errors.js';
import { type Api, errorDetailsOf } from '../routers/index.js';
import type { Caller } from './caller.js';

/** A dataset of one unit, or of all units that the caller reaches. */
export interface DatasetName {
  unitId?: string | undefined;
  datasetId: string;
}

export type Dataset = Awaited<ReturnType<Api['reach']['datasets']>>['datasets'][number];
export type Hit = Awaited<ReturnType<Api['chunks']['search']>>[number];
type Question = Omit<Parameters<Api['chunks']['search']>[0], 'scope' | 'datasetIds'>;

/** Units that are searched where none is named. */
const MAX_UNITS = 200;

/**
 * Searches a dataset.
 *
 * @throws DomainError `not_found` where there is no such dataset, or the key may not read it
 */
export async function searchDataset(caller: Caller, name: DatasetName, question: Question): Promise<Hit[]> {
  const tenantUnitId = await unitsOf(caller, name);
  const scope = { tenantId: caller.tenantId, tenantUnitId };
  const datasetIds = [name.datasetId];
  const hits =
    tenantUnitId.length === 0
      ? []
      : await hideForeign(() =>
          caller.api.chunks.search({ scope, datasetIds, properties: true, ...question }),
        );
  if (hits.length === 0) await readDataset(caller, name);
  return hits;
}

/**
 * Reads what is known of a dataset.
 *
 * @throws DomainError `not_found` where there is no such dataset, or the key may not read it
 */
export async function readDataset(
  { api, tenantId, tenantUnitIds }: Caller,
  { unitId, datasetId }: DatasetName,
): Promise<Dataset> {
  const units = unitId === undefined ? tenantUnitIds : [unitId];
  const scope = { tenantId, ...(units && { tenantUnitId: [...units] }) };
  // Of all that begin with an id, the id itself is the first.
  const { datasets } = await hideForeign(() => api.reach.datasets({ scope, prefix: datasetId, limit: 1 }));
  const [found] = datasets.filter((one) => one.datasetId === datasetId && hasDocuments(one));
  if (!found) throw noSuchDataset();
  return found;
}

/** `reach.datasets` lists those that a key names in any case. */
const hasDocuments = ({ documents, isLowerBound }: Dataset): boolean => documents > 0 || isLowerBound;

const noSuchDataset = () => notFound('Dataset', ['dataset']);

async function unitsOf({ api, tenantId, tenantUnitIds }: Caller, { unitId }: DatasetName): Promise<string[]> {
  if (unitId !== undefined) return [unitId];
  if (tenantUnitIds) return [...tenantUnitIds];
  const { tenantUnitIds: reached, truncated } = await api.reach.units({
    scope: { tenantId },
    limit: MAX_UNITS,
  });
  if (truncated)
    throw invalid(`must name the unit: there are more than ${MAX_UNITS}`, ['dataset'], 'missing');
  return reached;
}

/** A unit or dataset outside of the key, and an id that nothing can have, are as one that does not exist. */
async function hideForeign<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof TRPCError && errorDetailsOf(error).some(({ loc }) => namesPlace(loc)))
      throw noSuchDataset();
    throw error;
  }
}

const namesPlace = ([first, second]: (string | number)[]): boolean =>
  first === 'datasetIds' || first === 'prefix' || (first === 'scope' && second === 'tenantUnitId');
