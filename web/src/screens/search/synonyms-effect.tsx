import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import collectionStyles from './collections.module.css';
import { messages } from './messages';
import styles from './search.module.css';
import { type RunResult, useCollections, useEvaluationCalls, useUnitScope } from './use-evaluations';

interface Effect {
  before: RunResult;
  after: RunResult;
}

/** Runs a judged collection without and with the synonyms, and shows what they change. */
export function SynonymsEffect() {
  const t = useMessages(messages);
  const scope = useUnitScope();
  const collections = useCollections();
  const { run } = useEvaluationCalls();
  const [chosen, setChosen] = useState<string>();
  const [effect, setEffect] = useState<Effect>();
  const names = collections.data?.map((one) => one.collection) ?? [];
  const collection = chosen ?? names[0];
  const compare = async () => {
    if (!scope || collection === undefined) return;
    setEffect(undefined);
    const before = await run.mutateAsync({ scope, collection, synonyms: false });
    setEffect({ before, after: await run.mutateAsync({ scope, collection }) });
  };
  return (
    <section className={styles.panel} aria-label={t.synonyms.effect.title}>
      <h2>{t.synonyms.effect.title}</h2>
      {collections.error && <CallError error={collections.error} onRetry={collections.refetch} />}
      {collections.data && collection === undefined && (
        <p className={styles.terms}>
          {t.synonyms.effect.none}{' '}
          <Link to="/search" search={(now) => ({ ...now, view: undefined })}>
            {t.collections.none.link}
          </Link>
        </p>
      )}
      {collection !== undefined && (
        <form
          className={collectionStyles.runForm}
          onSubmit={(event) => {
            event.preventDefault();
            // What fails is shown.
            void compare().catch(() => undefined);
          }}
        >
          <Select
            label={t.judge.collection}
            value={collection}
            options={names.map((value) => ({ value, text: value }))}
            onChange={(event) => {
              setChosen(event.target.value);
              setEffect(undefined);
            }}
          />
          <Button type="submit" kind="primary" disabled={run.isPending}>
            {run.isPending ? t.collections.running : t.synonyms.effect.compare}
          </Button>
        </form>
      )}
      {run.error && <CallError error={run.error} />}
      {effect && <EffectTable {...effect} />}
    </section>
  );
}

/** The measures of all questions, and of each that changed. */
function EffectTable({ before, after }: Effect) {
  const t = useMessages(messages);
  const earlier = new Map(before.byQuestion.map((one) => [one.questionId, one]));
  const changed = after.byQuestion.flatMap((one) => {
    const old = earlier.get(one.questionId);
    const isSame = !old || (old.ndcgAt10 === one.ndcgAt10 && old.recallAt5 === one.recallAt5);
    return isSame ? [] : [{ one, old }];
  });
  return (
    <>
      <p role="status">{t.synonyms.effect.changed(changed.length, after.questions)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard */}
      <section className={collectionStyles.tableBox} aria-label={t.synonyms.effect.table} tabIndex={0}>
        <table className={collectionStyles.table}>
          <thead>
            <tr>
              <th scope="col">{t.question}</th>
              {[t.measures.ndcg, t.measures.recall].flatMap((measure) => [
                <th key={`${measure} without`} scope="col">
                  {t.synonyms.effect.without(measure)}
                </th>,
                <th key={measure} scope="col">
                  {t.synonyms.effect.with(measure)}
                </th>,
              ])}
            </tr>
          </thead>
          <tbody>
            <EffectRow name={t.synonyms.effect.all} before={before} after={after} />
            {changed.map(({ one, old }) => (
              <EffectRow key={one.questionId} name={one.query} before={old} after={one} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

type Measured = Pick<RunResult, 'ndcgAt10' | 'recallAt5'>;

function EffectRow({ name, before, after }: { name: string; before: Measured; after: Measured }) {
  const { score } = useFormat();
  return (
    <tr>
      <th scope="row">{name}</th>
      {(['ndcgAt10', 'recallAt5'] as const).flatMap((measure) => {
        const change = after[measure] - before[measure];
        return [
          <td key={`${measure} without`} className={collectionStyles.number}>
            {score(before[measure])}
          </td>,
          <td key={measure} className={collectionStyles.number}>
            {score(after[measure])}{' '}
            {change !== 0 && (
              <small className={change > 0 ? collectionStyles.better : collectionStyles.worse}>
                {change > 0 ? '+' : '−'}
                {score(Math.abs(change))}
              </small>
            )}
          </td>,
        ];
      })}
    </tr>
  );
}
