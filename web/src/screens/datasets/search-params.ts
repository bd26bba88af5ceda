import { pageOf, textOf } from '../../common/search-params';

/** Longest part of a name that the server searches for. */
export const MAX_NAME_PART = 255;

/** Filter, order and page, as they are in the address. */
export interface DatasetsSearch {
  /** A part of the name. */
  name?: string | undefined;
  /** One of `columns`, with a minus for descending; by name, if undefined. */
  sort?: string | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readDatasetsSearch(search: Record<string, unknown>): DatasetsSearch {
  return {
    name: textOf(search.name)?.slice(0, MAX_NAME_PART),
    sort: search.sort === 'name' ? undefined : textOf(search.sort),
    page: pageOf(search.page),
  };
}
