import { skipToken, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { readFault } from '../../api/errors';
import { usePermission } from '../../api/permission-gate';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/notice';
import { Comparison } from './comparison';
import { JudgedQuestion } from './judged-question';
import { messages } from './messages';
import { HitList, ResultSummary } from './result';
import styles from './search.module.css';
import { SearchAsCode } from './search-as-code';
import { SearchForm } from './search-form';
import { secondSettings } from './search-params';
import { useExpected } from './use-expected';
import { type SearchHit, type SearchInput, useKnownDatasets, useSearchInput } from './use-search';
import { WhyNotFound } from './why-not-found';

const route = getRouteApi('/search');

/** Asks a question in one or two ways, and shows what is found and why. */
export function AskView() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const knownDatasets = useKnownDatasets();
  const [isWhyOpen, setWhyOpen] = useState(false);
  const mayJudge = usePermission('documents:write') === true;
  const judged = useExpected(search);
  const input = useSearchInput(search, search);
  const otherInput = useSearchInput(search, secondSettings(search));
  const [first, second] = [useRun(input), useRun(otherInput)];
  const askAgain = () => {
    void first.refetch();
    if (otherInput) void second.refetch();
  };
  const actionOf = (hit: SearchHit) => mayJudge && <ExpectToggle hit={hit} judged={judged} />;
  const filterFault = readFault(first.error, 'filter');
  const isAnswered = first.data && (!otherInput || second.data);
  return (
    <>
      <SearchForm
        knownDatasets={knownDatasets ?? []}
        isAsking={first.isFetching || second.isFetching}
        filterFault={filterFault}
        onAskAgain={askAgain}
      />
      {first.error && !filterFault && <CallError error={first.error} onRetry={first.refetch} />}
      {second.error && !readFault(second.error, 'filter') && (
        <CallError error={second.error} onRetry={second.refetch} />
      )}
      {!input && (
        <EmptyState title={t.start.title}>
          <p>{knownDatasets?.length === 0 ? t.start.none : t.start.text}</p>
        </EmptyState>
      )}
      {input && !isAnswered && first.isFetching && <p role="status">{t.asking}</p>}
      {first.data && !otherInput && (
        <>
          <ResultSummary result={first.data} />
          <HitList result={first.data} label={t.hits} actionOf={actionOf} />
        </>
      )}
      {first.data && second.data && (
        <Comparison first={first.data} second={second.data} actionOf={actionOf} />
      )}
      {input && isAnswered && (
        <>
          {mayJudge && <JudgedQuestion input={input} result={first.data} judged={judged} />}
          <SearchAsCode input={input} />
        </>
      )}
      {input && (isAnswered || isWhyOpen) && (
        <div>
          {isWhyOpen ? (
            <WhyNotFound input={input} onExpect={mayJudge ? judged.add : undefined} />
          ) : (
            <Button onClick={() => setWhyOpen(true)}>{t.why.open}</Button>
          )}
        </div>
      )}
    </>
  );
}

const useRun = (input: SearchInput | undefined) =>
  useQuery({
    ...trpc.search.run.queryOptions(input ?? skipToken, { refetchOnWindowFocus: false }),
    select: (result) => ({ ...result, asked: input?.mode }),
  });

/** Whether the question should find a chunk. */
function ExpectToggle({ hit, judged }: { hit: SearchHit; judged: ReturnType<typeof useExpected> }) {
  const t = useMessages(messages);
  const { id: chunkId, documentId, documentName, content } = hit;
  const isExpected = judged.gradeOf(chunkId) !== undefined;
  return (
    <Button
      size="small"
      aria-pressed={isExpected}
      className={isExpected ? styles.pressed : undefined}
      onClick={() =>
        isExpected
          ? judged.remove(chunkId)
          : judged.add({ documentId, chunkId, name: documentName || documentId, excerpt: content })
      }
    >
      {isExpected ? t.judge.isExpected : t.judge.expect}
    </Button>
  );
}
