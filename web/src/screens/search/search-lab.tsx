import { skipToken, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { Hits } from './hits';
import { messages } from './messages';
import styles from './search.module.css';
import { SearchForm } from './search-form';
import { useKnownDatasets, useSearchInput } from './use-search';
import { WhyNotFound } from './why-not-found';

const route = getRouteApi('/search');

/** Asks a question, and shows what is found and why. */
export function SearchLab() {
  const t = useMessages(messages);
  const { tenantUnitId } = useScope();
  const search = route.useSearch();
  const knownDatasets = useKnownDatasets();
  const [isWhyOpen, setWhyOpen] = useState(false);
  const input = useSearchInput(search);
  const hits = useQuery(trpc.chunks.search.queryOptions(input ?? skipToken, { refetchOnWindowFocus: false }));
  const explanation = useQuery(
    trpc.search.explain.queryOptions(input ?? skipToken, { refetchOnWindowFocus: false, retry: false }),
  );
  const askAgain = () => {
    void hits.refetch();
    void explanation.refetch();
  };

  if (tenantUnitId === undefined) {
    return (
      <>
        <PageHeader title={t.title} />
        <EmptyState title={t.needsUnit.title}>
          <p>{t.needsUnit.text}</p>
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title={t.title} />
      <SearchForm
        key={`${search.q} ${search.datasets} ${knownDatasets === undefined}`}
        knownDatasets={knownDatasets ?? []}
        isAsking={hits.isFetching}
        onAskAgain={askAgain}
      />
      {hits.error && <CallError error={hits.error} onRetry={hits.refetch} />}
      {input && hits.data && (
        <Hits input={input} hits={hits.data} explanation={explanation.data} failure={explanation.error} />
      )}
      {!input && (
        <EmptyState title={t.start.title}>
          <p>{knownDatasets?.length === 0 ? t.start.none : t.start.text}</p>
        </EmptyState>
      )}
      {input && (
        <div className={styles.why}>
          {isWhyOpen ? (
            <WhyNotFound input={input} />
          ) : (
            <Button onClick={() => setWhyOpen(true)}>{t.why.open}</Button>
          )}
        </div>
      )}
    </>
  );
}
