import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import type { Document } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { AddDialog, type Adding } from './add/add-dialog';
import { useDroppedFiles } from './add/use-dropped-files';
import { DeleteDialog } from './delete-dialog';
import { DocumentFilters } from './document-filters';
import { DocumentTable } from './document-table';
import styles from './documents.module.css';
import { messages } from './messages';
import { Pagination } from './pagination';
import { useDocuments } from './use-documents';

const route = getRouteApi('/documents');

/** Lists documents, shows how far they are, and adds and deletes them. */
export function DocumentsScreen() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useDocuments(search);
  const [adding, setAdding] = useState<Adding>();
  const [removing, setRemoving] = useState<Document>();
  const isDragging = useDroppedFiles((files) => setAdding({ files }));
  const isFiltered = Boolean(search.status || search.type || search.dataset);
  const clearFilters = () =>
    navigate({ search: { status: undefined, type: undefined, dataset: undefined, page: undefined } });
  return (
    <>
      <PageHeader title={t.title}>
        <Button onClick={() => setAdding({ files: [] })}>{t.add.files}</Button>
        <Button kind="primary" onClick={() => setAdding({ files: undefined })}>
          {t.add.text}
        </Button>
      </PageHeader>
      <DocumentFilters />
      {list.error && <CallError error={list.error} onRetry={list.refetch} />}
      {list.isPending && <p className={styles.loading}>{t.loading}</p>}
      {list.data && list.data.items.length > 0 && (
        <>
          <DocumentTable documents={list.data.items} onDelete={setRemoving} />
          <Pagination list={list.data} />
        </>
      )}
      {list.data?.items.length === 0 &&
        (isFiltered ? (
          <EmptyState title={t.empty.filtered}>
            <Button onClick={clearFilters}>{t.empty.clear}</Button>
          </EmptyState>
        ) : (
          <EmptyState title={t.empty.title}>
            <p>{t.empty.text}</p>
            <p>{t.empty.seed}</p>
            <Button kind="primary" onClick={() => setAdding({ files: undefined })}>
              {t.add.text}
            </Button>
          </EmptyState>
        ))}
      {adding && <AddDialog adding={adding} onClose={() => setAdding(undefined)} />}
      {removing && <DeleteDialog document={removing} onClose={() => setRemoving(undefined)} />}
      {isDragging && <div className={styles.drop}>{t.add.drop}</div>}
    </>
  );
}
