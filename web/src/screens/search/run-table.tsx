import { useFormat, useMessages } from '../../language/language';
import { Time } from '../../ui/time';
import collectionStyles from './collections.module.css';
import { messages } from './messages';
import styles from './search.module.css';
import type { Run } from './use-evaluations';

/** The last runs of a collection, newest first, each with how its measures moved. */
export function RunTable({ runs }: { runs: Run[] }) {
  const t = useMessages(messages);
  const format = useFormat();
  const [last] = runs;
  return (
    <>
      {last && last.gone > 0 && (
        <p className={styles.terms}>{t.collections.gone(last.gone, last.expected)}</p>
      )}
      {runs.length > 2 && (
        <p className={collectionStyles.trend} aria-hidden="true">
          {t.measures.ndcg} <Trend runs={runs} />
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard */}
      <section className={collectionStyles.tableBox} aria-label={t.collections.runs} tabIndex={0}>
        <table className={collectionStyles.table}>
          <thead>
            <tr>
              <th scope="col">{t.collections.time}</th>
              <th scope="col">{t.measures.ndcg}</th>
              <th scope="col">{t.measures.recall}</th>
              <th scope="col">{t.mode}</th>
              <th scope="col">{t.collections.asked}</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run, place) => (
              <tr key={run.id}>
                <td className={collectionStyles.number}>
                  <Time iso={run.createdTime} />
                </td>
                <td className={collectionStyles.number}>
                  <Measure value={run.ndcgAt10} before={runs[place + 1]?.ndcgAt10} />
                </td>
                <td className={collectionStyles.number}>
                  <Measure value={run.recallAt5} before={runs[place + 1]?.recallAt5} />
                </td>
                <td>
                  {run.modes.map((mode) => t.modes[mode]).join(', ')} <small>{run.engines.join(', ')}</small>{' '}
                  {!run.synonyms && <small>{t.synonyms.runWithout}</small>}
                </td>
                <td className={collectionStyles.number}>{format.count(run.questions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.terms}>{t.measures.hint}</p>
    </>
  );
}

/** A measure, and how it differs from the run before. */
function Measure({ value, before }: { value: number; before: number | undefined }) {
  const { score } = useFormat();
  const change = before === undefined ? 0 : value - before;
  const isSame = Math.abs(change) < 0.0005;
  return (
    <>
      {score(value)}{' '}
      {before !== undefined && (
        <small className={isSame ? undefined : change > 0 ? collectionStyles.better : collectionStyles.worse}>
          {isSame ? '±0' : `${change > 0 ? '+' : '−'}${score(Math.abs(change))}`}
        </small>
      )}
    </>
  );
}

const [WIDTH, HEIGHT, EDGE] = [300, 40, 4];

/** nDCG of all runs as a line above zero, oldest first. The table says the same in numbers. */
function Trend({ runs }: { runs: Run[] }) {
  const points = runs.toReversed().map(({ ndcgAt10 }, place) => {
    const x = EDGE + (place / (runs.length - 1)) * (WIDTH - 2 * EDGE);
    return [x, EDGE + (1 - ndcgAt10) * (HEIGHT - 2 * EDGE)] as const;
  });
  const [x, y] = points.at(-1) ?? [0, 0];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={`M0 ${HEIGHT - EDGE}H${WIDTH}`} />
      <polyline points={points.map((point) => point.join()).join(' ')} />
      <circle cx={x} cy={y} r={3} />
    </svg>
  );
}
