import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import collectionStyles from './collections.module.css';
import { messages } from './messages';
import { QuestionList } from './question-list';
import { RunTable } from './run-table';
import styles from './search.module.css';
import { modes } from './search-params';
import { ModeSelect } from './settings-fields';
import { useEvaluationCalls, useQuestions } from './use-evaluations';

/** A judged collection: runs it, shows how its measures moved, and what each question missed. */
export function CollectionDetail({ collection }: { collection: string }) {
  const t = useMessages(messages);
  const { tenantId, tenantUnitId = '' } = useScope();
  const scope = { tenantId, tenantUnitId };
  const [mode, setMode] = useState('');
  const questions = useQuestions(collection);
  const runs = useQuery(trpc.evaluations.runs.queryOptions({ scope, collection }));
  const { run } = useEvaluationCalls();
  const chosen = modes.find((one) => one === mode);
  return (
    <>
      <section className={styles.panel} aria-label={collection}>
        <h2>{collection}</h2>
        <form
          className={collectionStyles.runForm}
          onSubmit={(event) => {
            event.preventDefault();
            run.mutate({ scope, collection, ...(chosen && { mode: chosen }) });
          }}
        >
          <ModeSelect value={mode} onChange={setMode} />
          <Button type="submit" kind="primary" disabled={run.isPending}>
            {run.isPending ? t.collections.running : t.collections.run}
          </Button>
        </form>
        {run.error && <CallError error={run.error} />}
        {runs.error && <CallError error={runs.error} onRetry={runs.refetch} />}
        {runs.data?.length === 0 && <p className={styles.terms}>{t.collections.noRuns}</p>}
        {runs.data && runs.data.length > 0 && <RunTable runs={runs.data} />}
      </section>
      {questions.error && <CallError error={questions.error} onRetry={questions.refetch} />}
      {questions.data && <QuestionList questions={questions.data} result={run.data} asked={chosen} />}
    </>
  );
}
