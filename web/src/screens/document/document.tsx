import { getRouteApi, Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { CallError } from '../../api/call-error';
import { useListAddress } from '../../common/documents/list-address';
import { useMessages } from '../../language/language';
import { EmptyState } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { TabLinks } from '../../ui/tab-links';
import { ChunksView } from './chunks/chunks-view';
import styles from './document.module.css';
import { DocumentHeader } from './document-header';
import { HistoryView } from './history/history-view';
import { messages } from './messages';
import { PropertiesView } from './properties/properties-view';
import { views } from './search-params';
import { type OneDocument, useDocument } from './use-document';

const route = getRouteApi('/documents/$documentId');

/** A document: its chunks beside its source, its properties and its history. */
export function DocumentScreen() {
  const list = useListAddress();
  const t = useMessages(messages);
  const { document, error, isPending, refetch } = useDocument();
  if (document) return <Shown document={document} />;
  return (
    <>
      <PageHeader title={t.title} />
      {error && <CallError error={error} onRetry={refetch} />}
      {isPending && <p className={styles.soft}>{t.loading}</p>}
      {!error && !isPending && (
        <EmptyState Icon={FileText} title={t.missing.title}>
          <p>{t.missing.text}</p>
          <Link to="/documents" search={list}>
            {t.back}
          </Link>
        </EmptyState>
      )}
    </>
  );
}

function Shown({ document }: { document: OneDocument }) {
  const t = useMessages(messages);
  const { view } = route.useSearch();
  return (
    <>
      <DocumentHeader document={document} />
      <TabLinks label={t.views.label}>
        {views.map((name) => (
          <Link
            key={name}
            to="/documents/$documentId"
            params={{ documentId: document.id }}
            search={({ tenant, unit }) => ({ tenant, unit, view: name === 'chunks' ? undefined : name })}
            activeOptions={{ explicitUndefined: true }}
          >
            {t.views[name]}
          </Link>
        ))}
      </TabLinks>
      {view === undefined && <ChunksView document={document} />}
      {view === 'properties' && <PropertiesView key={document.version} document={document} />}
      {view === 'history' && <HistoryView document={document} />}
    </>
  );
}
