import { useQuery } from '@tanstack/react-query';
import { readDatasets } from '../../api/dataset-ids';
import { useScope } from '../../api/scope';
import { type Inputs, trpc } from '../../api/trpc';
import { DEFAULT_TOP_K, type LabSearch } from './search-params';

export type SearchInput = Inputs['chunks']['search'];

/** The search that the address describes; undefined while something that it needs is missing. */
export function useSearchInput({ q, datasets, language, topK, mode }: LabSearch): SearchInput | undefined {
  const { tenantId, tenantUnitId } = useScope();
  const datasetIds = readDatasets(datasets ?? '');
  if (q === undefined || tenantUnitId === undefined || datasetIds.length === 0) return undefined;
  return {
    scope: { tenantId, tenantUnitId },
    datasetIds,
    query: q,
    topK: topK ?? DEFAULT_TOP_K,
    language: language ?? 'english',
    ...(mode && { mode }),
  };
}

/** The datasets of the newest documents of the unit, to begin with. */
export function useKnownDatasets() {
  const scope = useScope();
  const { data } = useQuery(trpc.documents.list.queryOptions({ scope, page: 1, pageSize: 100 }));
  return data && [...new Set(data.items.flatMap(({ datasetIds }) => datasetIds))].sort();
}
