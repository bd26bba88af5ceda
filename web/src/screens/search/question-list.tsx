import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import { toDatasetParam } from '../../api/dataset-ids';
import { usePermission } from '../../api/permission-gate';
import { useFormat, useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import collectionStyles from './collections.module.css';
import hitStyles from './hits.module.css';
import { messages } from './messages';
import { plainExcerpt } from './plain-excerpt';
import styles from './search.module.css';
import type { LabSearch } from './search-params';
import { type Question, type RunResult, useEvaluationCalls, useUnitScope } from './use-evaluations';

interface QuestionListProps {
  questions: Question[];
  /** Of the run that was just done, if one was. */
  result: RunResult | undefined;
  /** In which mode questions are asked again. */
  asked: LabSearch['mode'];
}

/** The questions of a collection, those with the lowest measures first after a run, with what they missed. */
export function QuestionList({ questions, result, asked }: QuestionListProps) {
  const t = useMessages(messages);
  const [leaving, setLeaving] = useState<Question>();
  const mayWrite = usePermission('documents:write') === true;
  const measured = new Map(result?.byQuestion.map((one) => [one.questionId, one]));
  const ndcgOf = ({ id }: Question) => measured.get(id)?.ndcgAt10 ?? 2;
  const sorted = questions.toSorted((a, b) => ndcgOf(a) - ndcgOf(b));
  return (
    <section aria-label={t.collections.questionsTitle} className={collectionStyles.questions}>
      <h2>{t.collections.questionsTitle}</h2>
      <ul className={hitStyles.hits}>
        {sorted.map((question) => (
          <li key={question.id} className={hitStyles.hit}>
            <header className={hitStyles.hitHead}>
              <h3 className={hitStyles.hitName}>{question.query}</h3>
              {measured.has(question.id) && <Measured measured={measured.get(question.id)} />}
            </header>
            <ExpectedChunks expected={measured.get(question.id)?.expected ?? question.expected} />
            <footer className={hitStyles.hitFoot}>
              <span>{question.datasetIds.join(', ')}</span>
              <span>{t.languages[question.language]}</span>
              <span className={hitStyles.hitActions}>
                <Link
                  to="/search"
                  search={({ collection: _, question: __, view: ___, ...now }) => ({
                    tenant: now.tenant,
                    unit: now.unit,
                    q: question.query,
                    datasets: toDatasetParam(question.datasetIds),
                    mode: asked,
                    language: question.language === 'english' ? undefined : question.language,
                    collection: question.collection,
                    question: question.id,
                  })}
                >
                  {t.collections.askAgain}
                </Link>
                {mayWrite && (
                  <Button kind="quiet" size="small" onClick={() => setLeaving(question)}>
                    {t.judge.remove}
                  </Button>
                )}
              </span>
            </footer>
          </li>
        ))}
      </ul>
      {leaving && <RemoveDialog question={leaving} onClose={() => setLeaving(undefined)} />}
    </section>
  );
}

function Measured({ measured }: { measured: RunResult['byQuestion'][number] | undefined }) {
  const t = useMessages(messages);
  const { score } = useFormat();
  if (!measured) return null;
  return (
    <span className={hitStyles.score}>
      {t.measures.ndcg} <strong>{score(measured.ndcgAt10)}</strong> · {t.measures.recall}{' '}
      <strong>{score(measured.recallAt5)}</strong>
    </span>
  );
}

type ExpectedChunk = Question['expected'][number] & { rank?: number | null };

/** What was expected, and what became of it. */
function ExpectedChunks({ expected }: { expected: ExpectedChunk[] }) {
  const t = useMessages(messages);
  return (
    <ul className={styles.expected}>
      {expected.map(({ chunkId, documentName, excerpt, state, rank, grade }) => (
        <li key={chunkId}>
          <span className={styles.expectedName}>
            {excerpt === null ? <code>{chunkId}</code> : <strong>{documentName || chunkId}</strong>}
            {excerpt && <span className={styles.excerpt}>{plainExcerpt(excerpt).text}</span>}
          </span>
          {grade > 1 && <Badge tone="neutral">{t.judge.gradeOf(grade)}</Badge>}
          {state !== 'searchable' ? (
            <Badge tone="busy">{t.collections.states[state]}</Badge>
          ) : (
            rank !== undefined && <Rank rank={rank} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Beyond the tenth hit it adds nothing to the measures. */
const MEASURED = 10;

function Rank({ rank }: { rank: number | null }) {
  const t = useMessages(messages);
  if (rank === null) return <Badge tone="bad">{t.collections.missed}</Badge>;
  return <Badge tone={rank > MEASURED ? 'bad' : 'good'}>{t.judge.hit(rank)}</Badge>;
}

function RemoveDialog({ question, onClose }: { question: Question; onClose: () => void }) {
  const t = useMessages(messages);
  const scope = useUnitScope();
  const { remove } = useEvaluationCalls();
  return (
    <CallDialog
      isDangerous
      title={t.collections.remove.title}
      cancel={t.collections.remove.cancel}
      submit={t.collections.remove.confirm}
      call={remove}
      onSubmit={() => scope && remove.mutate({ scope, questionId: question.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t.collections.remove.text(question.query)}</p>
    </CallDialog>
  );
}
