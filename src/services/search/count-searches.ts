import { DomainError } from '../../errors/errors.js';
import type { Activity } from '../../metrics/activity.js';
import type { DatasetSearches } from '../../metrics/dataset-searches.js';
import type { SearchMetrics } from '../../metrics/prometheus/search-metrics.js';
import { unitsOf } from '../shared/tenant-scope.js';
import type { Search } from './search.js';

interface Counters {
  activity: Pick<Activity, 'countSearch'>;
  datasetSearches: Pick<DatasetSearches, 'count'>;
  metrics: SearchMetrics;
}

/** The same search, which counts how often it is asked, how long it takes and how often it fails. */
export const countSearches = (search: Search, { activity, datasetSearches, metrics }: Counters): Search => ({
  ...search,
  async search(input) {
    const startMs = performance.now();
    const count = (isFailed: boolean): number => {
      const ms = performance.now() - startMs;
      activity.countSearch(input.scope.tenantId, { ms, isFailed });
      return ms / 1000;
    };
    try {
      const result = await search.search(input);
      metrics.answered({ ...result, seconds: count(false) });
      const { scope, datasetIds } = input;
      const [unit = '', ...others] = unitsOf(scope) ?? [];
      datasetSearches.count(
        { tenantId: scope.tenantId, tenantUnitId: others.length > 0 ? '' : unit },
        datasetIds,
      );
      return result;
    } catch (error) {
      // What was asked wrongly is no failure of the search, nor is one that its caller gave up.
      if ((error as Error).name === 'AbortError') throw error;
      if (!(error instanceof DomainError) || error.code === 'unavailable') {
        count(true);
        metrics.failed();
      }
      throw error;
    }
  },
});
