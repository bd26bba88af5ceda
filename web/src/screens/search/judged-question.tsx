import { getRouteApi, Link } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { Notice } from '../../ui/notice';
import { SuggestionField } from '../../ui/suggestion-field';
import { messages } from './messages';
import { plainExcerpt } from './plain-excerpt';
import styles from './search.module.css';
import {
  type Question,
  useCollections,
  useEvaluationCalls,
  useQuestions,
  useUnitScope,
} from './use-evaluations';
import type { useExpected } from './use-expected';
import type { SearchInput, SearchResult } from './use-search';

const route = getRouteApi('/search');
const GRADES = ['1', '2', '3'] as const;

interface JudgedQuestionProps {
  input: SearchInput;
  result: SearchResult | undefined;
  judged: ReturnType<typeof useExpected>;
}

/** The chunks that this question should find, to be saved with it in a collection. */
export function JudgedQuestion({ input, result, judged }: JudgedQuestionProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const scope = useUnitScope();
  const collections = useCollections();
  const { save } = useEvaluationCalls();
  const [typed, setTyped] = useState<string>();
  const { expected, saved, gone } = judged;
  const collection = typed ?? search.collection ?? collections.data?.[0]?.collection ?? '';
  const isKnown = collections.data?.some((one) => one.collection === collection) === true;
  const others = useQuestions(isKnown ? collection : undefined);
  // A collection has a question once.
  const replaced = others.data?.find(
    ({ id, ...one }) => id === saved?.id || (isSameQuestion(one, input) && saved?.collection !== collection),
  );
  const rankOf = (id: string) => (result?.hits.findIndex((hit) => hit.id === id) ?? -1) + 1;

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!scope) return;
    const { query, language, datasetIds } = input;
    const about = { scope, collection: collection.trim(), query, language, datasetIds };
    save.mutate(
      {
        ...about,
        ...(replaced && { questionId: replaced.id }),
        expected: expected.map(({ documentId, chunkId, grade }) => ({ documentId, chunkId, grade })),
      },
      {
        onSuccess: ({ id }) =>
          navigate({
            search: (now) => ({ ...now, collection: about.collection, question: id }),
            replace: true,
            resetScroll: false,
          }),
      },
    );
  };
  return (
    <form
      className={expected.length > 0 ? `${styles.panel} ${styles.judging}` : styles.panel}
      onSubmit={submit}
      aria-label={t.judge.title}
    >
      <h2>{t.judge.title}</h2>
      {gone > 0 && <Notice>{t.judge.gone(gone)}</Notice>}
      {expected.length === 0 && <p className={styles.terms}>{t.judge.none}</p>}
      <ul className={styles.expected}>
        {expected.map(({ chunkId, name, excerpt, grade }) => (
          <li key={chunkId}>
            <span className={styles.expectedName}>
              <strong>{name}</strong>{' '}
              <small>{rankOf(chunkId) > 0 ? t.judge.hit(rankOf(chunkId)) : t.judge.noHit}</small>
              <span className={styles.excerpt}>{plainExcerpt(excerpt).text}</span>
            </span>
            <Select
              label={t.judge.grade}
              value={String(grade)}
              options={GRADES.map((value) => ({ value, text: t.judge.grades[value] }))}
              onChange={(event) => judged.grade(chunkId, Number(event.target.value))}
            />
            <Button
              size="small"
              kind="quiet"
              aria-label={format.named(t.judge.remove, name)}
              onClick={() => judged.remove(chunkId)}
            >
              {t.judge.remove}
            </Button>
          </li>
        ))}
      </ul>
      {expected.length > 0 && (
        <div className={styles.question}>
          <SuggestionField
            label={t.judge.collection}
            value={collection}
            required
            maxLength={100}
            suggestions={(collections.data ?? []).map((one) => ({ value: one.collection }))}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" disabled={save.isPending}>
            {replaced ? t.judge.saveAgain : t.judge.save}
          </Button>
        </div>
      )}
      {save.error && <CallError error={save.error} />}
      {save.isSuccess && search.collection && (
        <Notice>
          {t.judge.saved(search.collection)}{' '}
          <Link to="/search" search={(now) => ({ ...now, view: 'collections' })}>
            {t.judge.see}
          </Link>
        </Notice>
      )}
    </form>
  );
}

const isSameQuestion = (saved: Omit<Question, 'id'>, { query, language, datasetIds }: SearchInput) =>
  saved.query === query &&
  saved.language === language &&
  saved.datasetIds.toSorted().join('\n') === datasetIds.toSorted().join('\n');
