import type { ViewedList } from '../../common/views/saved-views';
import { readDocumentsSearch } from './search-params';

/** A view is the filters, the order and the columns. */
export const viewed: ViewedList = {
  name: 'documents',
  read: (search) => {
    const { add: _, row: __, ...view } = readDocumentsSearch(search);
    return view;
  },
};
