import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { type Dictionary, useMessages } from '../language/language';
import styles from './ui.module.css';

/** What a list is sorted by, as it is in the address; a minus is for descending. */
export type Sort<Key extends string = string> = Key | `-${Key}`;

/** What the address says, where it is one of these. */
export const readSort = <Key extends string>(value: unknown, keys: readonly Key[]): Sort<Key> | undefined =>
  keys.some((key) => value === key || value === `-${key}`) ? (value as Sort<Key>) : undefined;

const messages: Dictionary<(column: string) => string> = {
  en: (column) => `Sort by ${column}`,
  zh: (column) => `按${column}排序`,
};

export interface Sorting {
  /** As in the address. */
  sort: string | undefined;
  onSort: (sort: string) => void;
}

interface SortHeadingProps {
  title: string;
  /** What the first press sorts by, with a minus from the highest on; the next one turns it round. */
  first: string;
  sorting: Sorting;
  className?: string | undefined;
}

/** The title of a column that a table can be sorted by. */
export function SortHeading({ title, first, sorting: { sort, onSort }, className }: SortHeadingProps) {
  const t = useMessages(messages);
  const turned = first.startsWith('-') ? first.slice(1) : `-${first}`;
  const isSorted = sort === first || sort === turned;
  const isDescending = sort?.startsWith('-');
  const Icon = !isSorted ? ChevronsUpDown : isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={isSorted ? `${styles.sort} ${styles.sorted}` : styles.sort}
        title={t(title)}
        onClick={() => onSort(sort === first ? turned : first)}
      >
        {title}
        <Icon aria-hidden="true" />
      </button>
    </th>
  );
}

/**
 * Titles for a `DataTable`.
 *
 * @param options.first what the first press on a title sorts by, of those that can be sorted by
 */
export const sortHeadings = <Column extends string>(
  columns: readonly Column[],
  {
    titles,
    first,
    sorting,
  }: { titles: Record<Column, string>; first: Partial<Record<Column, string>>; sorting: Sorting },
): (string | ReactElement)[] =>
  columns.map((column) => {
    const sort = first[column];
    if (!sort) return titles[column];
    return <SortHeading key={column} title={titles[column]} first={sort} sorting={sorting} />;
  });

/** A sort as servers take it. */
export const toOrder = <Key extends string>(sort: Sort<Key>) => ({
  order: sort.replace('-', '') as Key,
  direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
});
