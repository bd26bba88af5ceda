import { Link } from '@tanstack/react-router';
import { Database, FolderInput, Pencil, Search, Trash2 } from 'lucide-react';
import { toDatasetParam } from '../../api/dataset-ids';
import { usePermission } from '../../api/permission-gate';
import { useRun } from '../../common/datasets/run';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Time } from '../../ui/time';
import type { Action } from './action-dialog';
import styles from './datasets.module.css';
import { messages } from './messages';
import type { Dataset } from './use-datasets';

interface DatasetRowProps {
  dataset: Dataset;
  onAction: (action: Action, dataset: Dataset) => void;
}

const icons = { rename: Pencil, move: FolderInput, delete: Trash2 };
const actions = ['rename', 'move', 'delete'] as const satisfies Action[];

/** A dataset with what its documents add up to. */
export function DatasetRow({ dataset, onAction }: DatasetRowProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const mayWrite = usePermission('documents:write') === true;
  const maySearch = usePermission('search') === true;
  const isRunning = useRun() !== undefined;
  const { datasetId, documents, isLowerBound, chunks, bytes, searches, updatedTime, isPartial } = dataset;
  const atLeast = (text: string, isMore: boolean) => (isMore ? t.moreThan(text) : text);
  const count = atLeast(format.count(documents), isLowerBound);
  const partly = isPartial ? t.partial : undefined;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <Database aria-hidden="true" />
        <Link to="/documents" search={(now) => ({ tenant: now.tenant, unit: now.unit, dataset: datasetId })}>
          {datasetId}
        </Link>
      </th>
      <td data-label={t.columns.documents} className={styles.number}>
        <Link
          to="/documents"
          search={(now) => ({ tenant: now.tenant, unit: now.unit, dataset: datasetId })}
          aria-label={t.documentsOf(datasetId, count, documents)}
        >
          {count}
        </Link>
      </td>
      <td data-label={t.columns.chunks} className={styles.number} title={partly}>
        {atLeast(format.count(chunks), isPartial)}
      </td>
      <td data-label={t.columns.bytes} className={styles.number} title={partly}>
        {atLeast(format.bytes(bytes), isPartial)}
      </td>
      <td data-label={t.columns.searches} className={styles.number} title={t.lastDays}>
        {format.count(searches)}
      </td>
      <td data-label={t.columns.updatedTime} className={styles.time} title={partly}>
        <Time iso={updatedTime} />
      </td>
      <td className={styles.actions}>
        {maySearch && (
          <Link
            to="/search"
            search={(now) => ({ tenant: now.tenant, unit: now.unit, datasets: toDatasetParam([datasetId]) })}
            className={styles.action}
            aria-label={t.search(datasetId)}
            title={t.search(datasetId)}
          >
            <Search aria-hidden="true" />
          </Link>
        )}
        {mayWrite &&
          actions.map((action) => {
            const Icon = icons[action];
            return (
              <Button
                key={action}
                kind="quiet"
                size="icon"
                aria-haspopup="dialog"
                aria-label={t[action](datasetId)}
                title={t[action](datasetId)}
                disabled={isRunning}
                className={styles.action}
                onClick={() => onAction(action, dataset)}
              >
                <Icon aria-hidden="true" />
              </Button>
            );
          })}
      </td>
    </tr>
  );
}
