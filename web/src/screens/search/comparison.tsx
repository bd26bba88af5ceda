import type { CSSProperties, ReactNode } from 'react';
import { useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import { messages } from './messages';
import { HitList, ResultSummary } from './result';
import styles from './search.module.css';
import type { SearchHit, SearchResult } from './use-search';

interface ComparisonProps {
  first: SearchResult;
  second: SearchResult;
  actionOf: (hit: SearchHit) => ReactNode;
}

/** What two searches found, rank beside rank; of each hit of the second, how its rank moved. */
export function Comparison({ first, second, actionOf }: ComparisonProps) {
  const t = useMessages(messages);
  const rows = Math.max(first.hits.length, second.hits.length);
  const rankIn = ({ hits }: SearchResult, id: string) => hits.findIndex((hit) => hit.id === id) + 1;
  return (
    <div className={styles.comparison} style={{ '--rows': rows + 2 } as CSSProperties}>
      <section className={styles.side} aria-label={t.compare.first}>
        <h2 className={styles.legend}>{t.compare.first}</h2>
        <ResultSummary result={first} />
        <HitList
          result={first}
          label={t.compare.first}
          moveOf={({ id }) => rankIn(second, id) === 0 && <Badge tone="bad">{t.compare.gone}</Badge>}
          actionOf={actionOf}
        />
      </section>
      <section className={styles.side} aria-label={t.compare.second}>
        <h2 className={styles.legend}>{t.compare.second}</h2>
        <ResultSummary result={second} />
        <HitList
          result={second}
          label={t.compare.second}
          moveOf={({ id }, rank) => <Move rank={rank} before={rankIn(first, id)} />}
          actionOf={actionOf}
        />
      </section>
    </div>
  );
}

/** How a rank differs from the one before; 0 where it had none. */
function Move({ rank, before }: { rank: number; before: number }) {
  const t = useMessages(messages);
  if (before === 0) return <Badge tone="busy">{t.compare.added}</Badge>;
  if (before === rank) return <Badge tone="neutral">{t.compare.same}</Badge>;
  return before > rank ? (
    <Badge tone="good">{t.compare.up(before - rank, before)}</Badge>
  ) : (
    <Badge tone="bad">{t.compare.down(rank - before, before)}</Badge>
  );
}
