import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useMessages } from '../../language/language';
import type { Action } from './action-dialog';
import { DatasetRow } from './dataset-row';
import styles from './datasets.module.css';
import { messages } from './messages';
import { type Column, nextOrder, toOrder } from './search-params';
import type { Dataset } from './use-datasets';

const route = getRouteApi('/datasets');

interface DatasetTableProps {
  datasets: readonly Dataset[];
  onAction: (action: Action, dataset: Dataset) => void;
}

/** Datasets, a row each; on narrow screens a card each. */
export function DatasetTable({ datasets, onAction }: DatasetTableProps) {
  const t = useMessages(messages);
  return (
    <table className={styles.table}>
      <caption className="unseen">{t.table}</caption>
      <thead>
        <tr>
          <SortedHeading column="name" />
          <SortedHeading column="documents" isNumber />
          <th scope="col" className={styles.number}>
            {t.columns.chunks}
          </th>
          <th scope="col" className={styles.number}>
            {t.columns.bytes}
          </th>
          <SortedHeading column="updatedTime" />
          <th scope="col">
            <span className="unseen">{t.columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {datasets.map((dataset) => (
          <DatasetRow key={dataset.datasetId} dataset={dataset} onAction={onAction} />
        ))}
      </tbody>
    </table>
  );
}

/** The title of a column that the table can be sorted by. */
function SortedHeading({ column, isNumber = false }: { column: Column; isNumber?: boolean }) {
  const t = useMessages(messages);
  const { sort } = route.useSearch();
  const { order, direction } = toOrder(sort);
  const isSorted = order === column;
  const next = nextOrder(column, sort);
  const Icon = !isSorted ? ChevronsUpDown : direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      className={isNumber ? styles.number : undefined}
      aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <Link
        to="/datasets"
        search={({ page: _, ...now }) => ({ ...now, sort: next === 'name' ? undefined : next })}
        replace
        className={isSorted ? `${styles.sort} ${styles.sorted}` : styles.sort}
        title={t.sortOf(t.columns[column])}
      >
        {t.columns[column]}
        <Icon aria-hidden="true" />
      </Link>
    </th>
  );
}
