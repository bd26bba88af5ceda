import type { Database } from '../../../db/schema.js';
import { assertAtMost, offsetOf, toPage } from '../shared/pagination.js';
import { type Counted, countDocuments } from './count-documents.js';
import type { Dataset, DatasetFilter, DatasetPage } from './datasets.schema.js';
import { findDatasetIds } from './find-dataset-ids.js';
import { type Measured, measureDatasets } from './measure-datasets.js';
import { limitsOfAll, limitsOfPage } from './read-limits.js';
import { readSearches } from './read-searches.js';

export type Datasets = ReturnType<typeof createDatasets>;

interface DatasetsDependencies {
  db: Database;
  clock: () => Date;
  maxPageSize: number;
}

/** The datasets of documents: a dataset is there as long as it has documents. */
export function createDatasets({ db, clock, maxPageSize }: DatasetsDependencies) {
  return { list };

  async function list(filter: DatasetFilter): Promise<DatasetPage> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { scope, nameContains, pageSize } = filter;
    const { ids, truncated } = await findDatasetIds(db, scope);
    const part = nameContains?.toLowerCase();
    const matching = part === undefined ? ids : ids.filter((id) => id.toLowerCase().includes(part));
    const offset = offsetOf(filter);
    const onPage = (await inOrder(matching, filter)).slice(offset, offset + pageSize);
    const counted = await countDocuments(db, scope, onPage);
    const documents = new Map([...counted].map(([id, count]) => [id, count.documents]));
    const measured = await measureDatasets(db, scope, limitsOfPage(documents));
    const searches = await readSearches(db, scope, onPage, clock());
    const items = onPage.flatMap((id) =>
      toDataset(id, {
        counted: counted.get(id),
        measured: measured.get(id),
        searches: searches.get(id) ?? 0,
      }),
    );
    return { ...toPage(filter, items, matching.length), truncated };
  }

  /** @param ids in the order of names, which decides among datasets that are equal otherwise */
  async function inOrder(ids: string[], { scope, order, direction }: DatasetFilter): Promise<string[]> {
    if (order === 'name') return direction === 'asc' ? ids : ids.toReversed();
    const measureOf = { documents: documentsOf, updatedTime: timesOf, searches: searchesOf }[order];
    const measure = await measureOf(ids, scope);
    const sign = direction === 'asc' ? 1 : -1;
    return ids.toSorted((a, b) => sign * (measure(a) - measure(b)));
  }

  async function documentsOf(ids: string[], scope: DatasetFilter['scope']) {
    const counted = await countDocuments(db, scope, ids);
    return (id: string) => counted.get(id)?.documents ?? 0;
  }

  async function searchesOf(ids: string[], scope: DatasetFilter['scope']) {
    const searches = await readSearches(db, scope, ids, clock());
    return (id: string) => searches.get(id) ?? 0;
  }

  async function timesOf(ids: string[], scope: DatasetFilter['scope']) {
    const measured = await measureDatasets(db, scope, limitsOfAll(ids));
    return (id: string) => measured.get(id)?.updatedTime.getTime() ?? 0;
  }
}

interface Known {
  counted: Counted | undefined;
  measured: Measured | undefined;
  searches: number;
}

/** None where its last document has gone since the ids were found. */
function toDataset(datasetId: string, { counted, measured, searches }: Known): Dataset[] {
  if (!counted || !measured) return [];
  const { documents, isLowerBound } = counted;
  const { documents: summed, ...sums } = measured;
  const isPartial = summed < documents || isLowerBound;
  return [{ datasetId, documents, isLowerBound, ...sums, searches, isPartial }];
}
