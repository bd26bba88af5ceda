import type { Inputs } from '../../api/trpc';

type Filter = Inputs['datasets']['list'];
export type Column = NonNullable<Filter['order']>;

const columns = ['name', 'documents', 'updatedTime'] as const satisfies Column[];
/** What the table is sorted by; a minus is for descending. */
export const orders = columns.flatMap((column) => [column, `-${column}`] as const);
export type Order = (typeof orders)[number];

/** Longest part of a name that the server searches for. */
export const MAX_NAME_PART = 255;

/** Filter, order and page, as they are in the address. */
export interface DatasetsSearch {
  /** A part of the name. */
  name?: string | undefined;
  /** By name, if undefined. */
  sort?: Order | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readDatasetsSearch(search: Record<string, unknown>): DatasetsSearch {
  const page = Number(search.page);
  const sort = orders.find((order) => order === search.sort);
  return {
    name:
      typeof search.name === 'string' && search.name !== '' ? search.name.slice(0, MAX_NAME_PART) : undefined,
    sort: sort === 'name' ? undefined : sort,
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}

/** The same as the server takes it. */
export const toOrder = (sort: Order = 'name') => ({
  order: sort.replace('-', '') as Column,
  direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
});

/** What a click on a column sorts by: names from A on, numbers and times from the highest on, and then the other way. */
export function nextOrder(column: Column, sort: Order = 'name'): Order {
  const [first, second] =
    column === 'name' ? ([column, `-${column}`] as const) : ([`-${column}`, column] as const);
  return sort === first ? second : first;
}
