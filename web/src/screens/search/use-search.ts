import { skipToken, useQuery } from '@tanstack/react-query';
import { readDatasetParam } from '../../api/dataset-ids';
import { usePermission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { type Inputs, type Outputs, trpc } from '../../api/trpc';
import { readFilter } from './read-filter';
import { DEFAULT_TOP_K, type LabSearch, type SettingsSearch } from './search-params';

export type SearchInput = Inputs['search']['run'];
/** What a search found, and the mode that was asked for, if any. */
export type SearchResult = Outputs['search']['run'] & { asked?: SearchInput['mode'] };
export type SearchHit = SearchResult['hits'][number];

/** The search that the address describes; undefined while something that it needs is missing. */
export function useSearchInput(
  { q, filter: typed, neighbours }: Pick<LabSearch, 'q' | 'filter' | 'neighbours'>,
  settings: SettingsSearch | undefined,
) {
  const { tenantId, tenantUnitId } = useScope();
  const datasetIds = readDatasetParam(settings?.datasets);
  if (!settings || q === undefined || tenantUnitId === undefined || datasetIds.length === 0) return undefined;
  const filter = typed === undefined ? undefined : readFilter(typed);
  if (typed !== undefined && !filter) return undefined;
  const { topK = DEFAULT_TOP_K, language = 'english', mode } = settings;
  return {
    scope: { tenantId, tenantUnitId },
    datasetIds,
    query: q,
    topK,
    language,
    ...(mode && { mode }),
    ...(filter && { filter }),
    ...(neighbours && { context: { before: neighbours, after: neighbours } }),
  } satisfies SearchInput;
}

/** The datasets of the newest documents of the unit, to begin with. */
export function useKnownDatasets() {
  const scope = useScope();
  const isPermitted = usePermission('documents:read');
  const { data } = useQuery(
    trpc.documents.list.queryOptions(isPermitted ? { scope, page: 1, pageSize: 100 } : skipToken),
  );
  return data && [...new Set(data.items.flatMap(({ datasetIds }) => datasetIds))].sort();
}
