import { getRouteApi, Link } from '@tanstack/react-router';
import { Database } from 'lucide-react';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { CsvButton } from '../../api/csv-button';
import { PermissionGate } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { client } from '../../api/trpc';
import { useIsPending } from '../../common/datasets/pending-datasets';
import { RunProgress } from '../../common/datasets/run-progress';
import type { ViewedList } from '../../common/views/saved-views';
import { ViewsBar } from '../../common/views/view-links';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { Pager } from '../../ui/pager';
import { toOrder } from '../../ui/sort-heading';
import { type Action, ActionDialog } from './action-dialog';
import { sortOf } from './columns';
import { DatasetFilters } from './dataset-filters';
import { DatasetTable } from './dataset-table';
import styles from './datasets.module.css';
import { messages } from './messages';
import { readDatasetsSearch } from './search-params';
import { type Dataset, useDatasetPage } from './use-datasets';

const route = getRouteApi('/datasets');
const CSV_FIELDS = [
  'datasetId',
  'documents',
  'isLowerBound',
  'chunks',
  'bytes',
  'searches',
  'updatedTime',
  'isPartial',
] as const;
/** A view is the filter and the order. */
const viewed: ViewedList = {
  name: 'datasets',
  read: (search) => {
    const { page: _, ...view } = readDatasetsSearch(search);
    return view;
  },
};

/** The datasets of the scope, with what they have and what can be done with each. */
export function DatasetsScreen() {
  const t = useMessages(messages);
  const { tenantId, tenantUnitId } = useScope();
  return (
    <PermissionGate permission="documents:read" title={t.title}>
      <PageHeader title={t.title} />
      <p className={styles.text}>{t.text}</p>
      <RunProgress />
      {/* Rows of one scope are never changed in another. */}
      <Datasets key={JSON.stringify([tenantId, tenantUnitId])} />
    </PermissionGate>
  );
}

function Datasets() {
  const t = useMessages(messages);
  const format = useFormat();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tenantId, tenantUnitId } = useScope();
  const list = useDatasetPage(search);
  const isPending = useIsPending();
  const [opened, setOpened] = useState<{ action: Action; dataset: Dataset }>();
  const { data, error } = list;
  const shown =
    data?.items.filter(({ datasetId }) => !isPending({ tenantId, tenantUnitId, datasetId })) ?? [];
  return (
    <>
      {(search.name !== undefined || Boolean(data?.totalCount)) && <DatasetFilters />}
      <ViewsBar list={viewed} />
      {error && <CallError error={error} onRetry={list.refetch} />}
      {list.isPending && !error && <p className={styles.text}>{t.loading}</p>}
      {data && data.totalCount > 0 && (
        <>
          <DatasetTable datasets={shown} onAction={(action, dataset) => setOpened({ action, dataset })} />
          <Pager
            list={data}
            onPage={(page) => navigate({ search: (now) => ({ ...now, page: page > 1 ? page : undefined }) })}
          >
            <CsvButton
              name="datasets"
              fields={CSV_FIELDS}
              readPage={(page, pageSize) =>
                client.datasets.list.query({
                  scope: { tenantId, tenantUnitId },
                  nameContains: search.name,
                  ...toOrder(sortOf(search)),
                  page,
                  pageSize,
                })
              }
            />
          </Pager>
          {data.truncated && <p className={styles.text}>{t.truncated(format.count(data.totalCount))}</p>}
        </>
      )}
      {data?.totalCount === 0 && <NoDatasets isFiltered={search.name !== undefined} />}
      {opened && <ActionDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** Why there is none, and what to do about it. */
function NoDatasets({ isFiltered }: { isFiltered: boolean }) {
  const t = useMessages(messages);
  const navigate = route.useNavigate();
  const { tenantUnitId } = useScope();
  if (isFiltered) {
    return (
      <EmptyState Icon={Database} title={t.empty.filtered}>
        <Button onClick={() => navigate({ search: (now) => ({ ...now, name: undefined, page: undefined }) })}>
          {t.empty.clear}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState Icon={Database} title={t.empty.title}>
      <p>{t.empty.text}</p>
      {tenantUnitId !== undefined && <p>{t.empty.unit}</p>}
      <Link to="/documents" className={styles.add}>
        {t.add}
      </Link>
    </EmptyState>
  );
}
