import { textOf } from '../../common/search-params';
import type { ViewedList } from '../../common/views/saved-views';
import { readFilters } from './search-params';

/** A view is what is searched, and the filters. */
export const viewed: ViewedList = {
  name: 'conversations',
  read: (search) => ({ q: textOf(search.q), ...readFilters(search) }),
};
