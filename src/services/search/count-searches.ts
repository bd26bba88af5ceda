import { DomainError } from '../../errors.js';
import type { Activity } from '../../metrics/activity.js';
import type { Search } from './search.js';

/** The same search, which counts how often it is asked, how long it takes and how often it fails. */
export const countSearches = (search: Search, activity: Pick<Activity, 'countSearch'>): Search => ({
  ...search,
  async search(input) {
    const startMs = performance.now();
    const count = (isFailed: boolean) =>
      activity.countSearch(input.scope.tenantId, { ms: performance.now() - startMs, isFailed });
    try {
      const result = await search.search(input);
      count(false);
      return result;
    } catch (error) {
      // What was asked wrongly is no failure of the search.
      if (!(error instanceof DomainError) || error.code === 'unavailable') count(true);
      throw error;
    }
  },
});
