import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { usePermission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { session } from '../../api/session';
import { type Outputs, trpc } from '../../api/trpc';
import { toOrder } from '../../ui/sort-heading';
import { sortOf } from './columns';
import type { DatasetsSearch } from './search-params';

export type Dataset = Outputs['datasets']['list']['items'][number];

/** Rows of a page, where the server gives so many. */
const PAGE_SIZE = 50;
/** Of an id, in UTF-8. */
export const MAX_NAME_LENGTH = 255;

export const isTooLong = (name: string): boolean => new TextEncoder().encode(name).length > MAX_NAME_LENGTH;

/** A page of the datasets of the scope. */
export function useDatasetPage({ name, sort, page = 1 }: DatasetsSearch) {
  const scope = useScope();
  const { data } = useQuery(session);
  const pageSize = Math.min(PAGE_SIZE, data?.server.maxPageSize ?? PAGE_SIZE);
  return useQuery({
    ...trpc.datasets.list.queryOptions(
      { scope, nameContains: name, ...toOrder(sortOf({ sort })), page, pageSize },
      { placeholderData: keepPreviousData },
    ),
    enabled: data !== undefined,
  });
}

/** Whether the tenant has a dataset; undefined until that is known. */
export function useExists(datasetId: string): boolean | undefined {
  const { tenantId } = useScope();
  const asked = useDeferredValue(datasetId);
  const { data, isFetching } = useQuery({
    // Of all ids that begin with it, it is the first.
    ...trpc.reach.datasets.queryOptions({ scope: { tenantId }, prefix: asked, limit: 1, countUpTo: 1 }),
    enabled: asked !== '',
  });
  if (asked !== datasetId || isFetching || !data) return undefined;
  const [first] = data.datasets;
  // A key for some datasets is told of those without documents, too.
  return first?.datasetId === datasetId && first.documents > 0;
}

/** Keys of which it is counted how many are active. */
const COUNTED_KEYS = 100;

/** How many active API keys name a dataset; undefined until that is known, and for those who may not read keys. */
export function useNamingKeys(datasetId: string): { count: number; isLowerBound: boolean } | undefined {
  const { tenantId } = useScope();
  const mayRead = usePermission('keys:admin') === true;
  const { data: info } = useQuery(session);
  const pageSize = Math.min(COUNTED_KEYS, info?.server.maxPageSize ?? COUNTED_KEYS);
  const { data } = useQuery(
    trpc.apiKeys.list.queryOptions(
      mayRead && info ? { scope: { tenantId }, datasetId, pageSize } : skipToken,
    ),
  );
  const count = data?.items.filter(({ status }) => status === 'active').length;
  return data && count !== undefined ? { count, isLowerBound: data.hasNextPage } : undefined;
}
