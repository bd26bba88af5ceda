import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import type { Document } from '../../api/trpc';
import { RunProgress } from '../../common/datasets/run-progress';
import { storeListAddress } from '../../common/documents/list-address';
import { ViewsBar } from '../../common/views/view-links';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { ColumnsMenu, useColumns } from '../../ui/columns-menu';
import { PageHeader } from '../../ui/page-header';
import type { Draft } from './add/draft';
import { UploadList } from './add/upload-list';
import { useDroppedFiles } from './add/use-dropped-files';
import { columns, usualColumns } from './columns';
import { type Confirmation, ConfirmDialog } from './confirm-dialog';
import { DocumentFilters } from './document-filters';
import { DocumentList, MAX_ROWS } from './document-list';
import styles from './documents.module.css';
import { EmptyList } from './empty-list';
import { messages } from './messages';
import { type DocumentsSearch, readDocumentsSearch, WITH_WARNINGS } from './search-params';
import { SelectAll } from './select-all';
import { SelectionBar } from './selection-bar';
import { useDocumentPages } from './use-document-pages';
import { useLiveProgress } from './use-live-progress';
import { usePassingRange } from './use-passing-range';
import { useSelection } from './use-selection';
import { viewed } from './viewed';

const AddDialog = lazy(() => import('./add/add-dialog').then(({ AddDialog }) => ({ default: AddDialog })));
const route = getRouteApi('/documents');

/** Lists documents, shows how far they are, adds them, and changes many at once. */
export function DocumentsScreen() {
  const t = useMessages(messages);
  const [adding, setAdding] = useState<Partial<Draft>>();
  const isDragging = useDroppedFiles((files) => setAdding({ kind: 'files', files }));
  const search = route.useSearch();
  const { name, status, reason, type, dataset, order, add } = search;
  const navigate = route.useNavigate();
  const draft = adding ?? (add && { kind: add });
  const close = () => {
    setAdding(undefined);
    if (add) navigate({ search: (now) => ({ ...now, add: undefined }), replace: true });
  };
  const { tenantId, tenantUnitId } = useScope();
  useEffect(() => storeListAddress({ tenantId, tenantUnitId }, search), [tenantId, tenantUnitId, search]);
  return (
    <>
      <PageHeader title={t.title}>
        <Button kind="primary" onClick={() => setAdding({})}>
          <Plus />
          {t.add.title}
        </Button>
      </PageHeader>
      <DocumentFilters />
      <ViewsBar list={viewed} />
      <UploadList />
      <RunProgress />
      {/* Another list begins anew, with nothing selected. */}
      <Documents key={JSON.stringify([tenantId, tenantUnitId, name, status, reason, type, dataset, order])} />
      {draft && (
        <Suspense>
          <AddDialog initial={draft} dataset={dataset} onClose={close} />
        </Suspense>
      )}
      {isDragging && <div className={styles.drop}>{t.add.drop}</div>}
    </>
  );
}

function Documents() {
  const t = useMessages(messages);
  const format = useFormat();
  const search: DocumentsSearch = route.useSearch();
  const navigate = route.useNavigate();
  const [initialRow] = useState((search.row ?? 1) - 1);
  const [range, setRange] = usePassingRange({ first: initialRow, last: initialRow });
  const list = useDocumentPages(search, range);
  const selection = useSelection();
  const shown = useColumns('documents', search.columns, columns, usualColumns);
  const [confirming, setConfirming] = useState<Confirmation>();
  const [askToDelete] = useState(
    () => (document: Document) => setConfirming({ action: 'delete', documents: [document] }),
  );
  useLiveProgress(
    list.pending.slice(0, list.pageSize),
    search.status === WITH_WARNINGS ? undefined : search.status,
  );
  const keepPosition = (row: number) => {
    const next = row > 0 ? row + 1 : undefined;
    if (next === search.row) return;
    void navigate({ search: (now) => ({ ...now, row: next }), replace: true, resetScroll: false });
  };
  const { totalCount, pageSize } = list;
  return (
    <>
      {list.error && <CallError error={list.error} onRetry={list.retry} />}
      {totalCount === undefined && !list.error && <p className={styles.loading}>{t.loading}</p>}
      {totalCount === 0 && <EmptyList search={search} />}
      {totalCount !== undefined && totalCount > 0 && (
        <>
          <SelectAll selection={selection} totalCount={totalCount} readPage={list.readPage}>
            <ColumnsMenu
              table="documents"
              titles={Object.fromEntries(columns.map((column) => [column, t[column]]))}
              shown={shown}
              usual={usualColumns}
              onChange={(chosen) =>
                navigate({
                  search: (now) => ({ ...now, ...readDocumentsSearch({ ...now, columns: chosen }) }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </SelectAll>
          <DocumentList
            totalCount={totalCount}
            columns={shown}
            order={search.order}
            documentAt={list.documentAt}
            selection={selection}
            initialRow={initialRow}
            onRange={setRange}
            onSettled={keepPosition}
            onDelete={askToDelete}
          />
          {totalCount > MAX_ROWS && <p className={styles.loading}>{t.beyond(format.count(MAX_ROWS))}</p>}
        </>
      )}
      {selection.selected.size > 0 && (
        <SelectionBar
          selection={selection}
          batchSize={pageSize}
          dataset={search.dataset}
          onConfirm={setConfirming}
        />
      )}
      {confirming && (
        <ConfirmDialog
          {...confirming}
          batchSize={pageSize}
          onDone={selection.clear}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </>
  );
}
