import type { Inputs } from '../../api/trpc';
import { pageOf, textOf } from '../../common/search-params';
import { readSort, type Sort } from '../../ui/sort';

type Filter = Inputs['datasets']['list'];
type Column = NonNullable<Filter['order']>;

export const columns = ['name', 'documents', 'searches', 'updatedTime'] as const satisfies Column[];

/** Longest part of a name that the server searches for. */
export const MAX_NAME_PART = 255;

/** Filter, order and page, as they are in the address. */
export interface DatasetsSearch {
  /** A part of the name. */
  name?: string | undefined;
  /** By name, if undefined. */
  sort?: Sort<Column> | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readDatasetsSearch(search: Record<string, unknown>): DatasetsSearch {
  const sort = readSort(search.sort, columns);
  return {
    name: textOf(search.name)?.slice(0, MAX_NAME_PART),
    sort: sort === 'name' ? undefined : sort,
    page: pageOf(search.page),
  };
}
