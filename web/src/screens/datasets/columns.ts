import type { Inputs } from '../../api/trpc';
import { readSort } from '../../ui/sort-heading';

/** What the table can be sorted by. */
export const columns = [
  'name',
  'documents',
  'searches',
  'updatedTime',
] as const satisfies Inputs['datasets']['list']['order'][];

/** What it is sorted by. */
export const sortOf = ({ sort }: { sort?: string | undefined }) => readSort(sort, columns) ?? 'name';
