import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { CallError } from '../../../api/call-error';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { EmptyState } from '../../../ui/notice';
import { Pager } from '../../../ui/pager';
import styles from '../document.module.css';
import { messages } from '../messages';
import { type OneDocument, refOf } from '../use-document';
import { HistoryEntry } from './history-entry';

const PAGE_SIZE = 20;
const route = getRouteApi('/documents/$documentId');

/** Who changed what of a document and its chunks, and when. */
export function HistoryView({ document }: { document: OneDocument }) {
  const t = useMessages(messages);
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const history = useQuery(
    trpc.documents.history.queryOptions(
      { ...refOf(document), page, pageSize: PAGE_SIZE },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <section className={styles.list} aria-label={t.views.history}>
      {history.error && <CallError error={history.error} onRetry={history.refetch} />}
      {history.isPending && <p className={styles.soft}>{t.loading}</p>}
      {history.data && history.data.items.length > 0 && (
        <>
          <ol className={styles.events}>
            {history.data.items.map((event) => (
              <HistoryEntry key={event.id} event={event} document={document} />
            ))}
          </ol>
          <Pager
            list={history.data}
            onPage={(to) => navigate({ search: (now) => ({ ...now, page: to > 1 ? to : undefined }) })}
          />
        </>
      )}
      {history.data?.items.length === 0 && (
        <EmptyState Icon={History} title={t.history.empty}>
          <p>{t.history.emptyText}</p>
        </EmptyState>
      )}
    </section>
  );
}
