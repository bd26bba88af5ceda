import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../language/language';
import { SortHeading } from '../../ui/sort-heading';
import type { Action } from './action-dialog';
import { sortOf } from './columns';
import { DatasetRow } from './dataset-row';
import styles from './datasets.module.css';
import { messages } from './messages';
import { readDatasetsSearch } from './search-params';
import type { Dataset } from './use-datasets';

const route = getRouteApi('/datasets');

interface DatasetTableProps {
  datasets: readonly Dataset[];
  onAction: (action: Action, dataset: Dataset) => void;
}

/** Datasets, a row each; on narrow screens a card each. */
export function DatasetTable({ datasets, onAction }: DatasetTableProps) {
  const t = useMessages(messages);
  const sort = sortOf(route.useSearch());
  const navigate = route.useNavigate();
  const onSort = (wanted: string) =>
    navigate({
      search: ({ page: _, ...now }) => ({ ...now, ...readDatasetsSearch({ ...now, sort: wanted }) }),
      replace: true,
    });
  const sorting = { sort, onSort };
  return (
    <table className={styles.table}>
      <caption className="unseen">{t.table}</caption>
      <thead>
        <tr>
          <SortHeading title={t.columns.name} first="name" sorting={sorting} />
          <SortHeading
            title={t.columns.documents}
            first="-documents"
            sorting={sorting}
            className={styles.number}
          />
          <th scope="col" className={styles.number}>
            {t.columns.chunks}
          </th>
          <th scope="col" className={styles.number}>
            {t.columns.bytes}
          </th>
          <SortHeading
            title={t.columns.searches}
            first="-searches"
            sorting={sorting}
            className={styles.number}
          />
          <SortHeading title={t.columns.updatedTime} first="-updatedTime" sorting={sorting} />
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
