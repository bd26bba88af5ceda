import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { DatasetsField } from '../../../api/datasets-field';
import { useDatasets } from '../../../api/reach';
import { type Inputs, trpc } from '../../../api/trpc';
import { languageOf, type QueryLanguage } from '../../../common/query-language';
import { useMessages } from '../../../language/language';
import { Select, TextField } from '../../../ui/field';
import { Form } from '../../../ui/form';
import { SubmitButton, useReasons } from '../../../ui/submit-button';
import { messages } from '../messages';
import styles from './judge.module.css';
import type { AnswerRef } from './use-answer';

/** What the server is told of a question. */
export type Judged = Required<
  Pick<Inputs['evaluations']['addFromMessage'], 'datasetIds' | 'language' | 'expected'>
>;

interface ChoosePassagesProps {
  scope: AnswerRef['scope'];
  question: string;
  /** Called with undefined while nothing is chosen. */
  onChange: (judged: Judged | undefined) => void;
}

const MAX_DATASETS = 20;
const MAX_QUERY = 2_000;
const HITS = 10;
/** Answers best. */
const GRADE = 3;
const languages: readonly QueryLanguage[] = ['english', 'chinese'];

/** Searches the documents of the unit, at first for the question itself, and chooses what answers it. */
export function ChoosePassages({ scope, question, onChange }: ChoosePassagesProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const known = useDatasets(scope, '').datasets.slice(0, MAX_DATASETS);
  const [typed, setTyped] = useState<string[]>();
  const [query, setQuery] = useState(question.slice(0, MAX_QUERY));
  const [language, setLanguage] = useState(languageOf(question));
  const [submitted, setSubmitted] = useState<{ query: string; datasetIds: string[] }>();
  const [chosen, setChosen] = useState<Judged['expected']>([]);
  const offered = known.map(({ datasetId }) => datasetId);
  const datasetIds = typed ?? offered;
  const asked = submitted ?? { query: question.slice(0, MAX_QUERY), datasetIds: offered };
  const found = useQuery(
    trpc.search.run.queryOptions(
      asked.datasetIds.length > 0 ? { scope, ...asked, language, topK: HITS } : skipToken,
    ),
  );
  const lacking =
    query.trim() === '' ? t.judge.query : datasetIds.length === 0 ? t.judge.datasets : undefined;
  const report = (expected: Judged['expected'], about = { datasetIds, language }) => {
    setChosen(expected);
    onChange(expected.length > 0 && about.datasetIds.length > 0 ? { ...about, expected } : undefined);
  };
  const toggle = (documentId: string, chunkId: string, isChosen: boolean) => {
    const others = chosen.filter((one) => one.chunkId !== chunkId);
    report(isChosen ? [...others, { documentId, chunkId, grade: GRADE }] : others);
  };
  return (
    <>
      <Form onSubmit={() => setSubmitted({ query, datasetIds })}>
        <div className={styles.fields}>
          <DatasetsField
            label={t.judge.datasets}
            value={datasetIds}
            most={MAX_DATASETS}
            unit={scope.tenantUnitId}
            onValue={(value) => {
              setTyped(value);
              report(chosen, { datasetIds: value, language });
            }}
          />
          <Select
            label={t.judge.language}
            value={language}
            options={languages.map((value) => ({ value, text: t.judge.languages[value] }))}
            onChange={(event) => {
              const value = event.target.value as QueryLanguage;
              setLanguage(value);
              report(chosen, { datasetIds, language: value });
            }}
          />
        </div>
        <div className={styles.query}>
          <TextField
            type="search"
            label={t.judge.query}
            value={query}
            maxLength={MAX_QUERY}
            required
            onChange={(event) => setQuery(event.target.value)}
          />
          <SubmitButton isCompact reason={lacking && reasons.missing(lacking)}>
            {t.judge.search}
          </SubmitButton>
        </div>
      </Form>
      {found.error && <CallError error={found.error} onRetry={found.refetch} />}
      {found.data?.hits.length === 0 && <p role="status">{t.search.nothing}</p>}
      {found.data && found.data.hits.length > 0 && (
        <fieldset className={styles.passages}>
          <legend>{t.judge.passages}</legend>
          {found.data.hits.map(({ id, documentId, documentName, content }) => (
            <label key={id} className={styles.passage}>
              <input
                type="checkbox"
                checked={chosen.some(({ chunkId }) => chunkId === id)}
                onChange={(event) => toggle(documentId, id, event.target.checked)}
              />
              <span>
                <strong>{documentName || documentId}</strong>
                <span className={styles.text}>{content}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
