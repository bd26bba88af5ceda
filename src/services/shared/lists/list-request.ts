import type { RawBuilder } from 'kysely';
import type { PageRequest } from '../pagination.js';
import type { TenantScope } from '../tenant-scope.js';
import type { ListFilter } from './list-filter.js';
import type { Order, SortKey } from './list-order.js';
import type { ListTotal } from './list-total.js';
import type { PageKey } from './page-keys.js';

export interface ListRequest extends PageRequest {
  scope: TenantScope;
  filter: ListFilter;
  order: Order;
}

/** What a statement for a page, or for the rows of a tenant on it, is built from. */
export interface PageParts {
  tenantId: string;
  /** How the rows are to be sorted. */
  by: SortKey;
  direction: 'asc' | 'desc';
  /** Common table expressions, to be materialized, so that each runs once. The rows of the page, with all columns. */
  page: RawBuilder<PageKey>;
  /** One row; its columns belong into each row of the page. */
  total: RawBuilder<ListTotal>;
}

/** What any row of a list has. */
export interface ListedRow {
  tenantId: string;
  id: string;
  /** Of all rows that were read together. */
  pageBytes: number;
}
