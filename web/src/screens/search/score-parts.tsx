import { useFormat, useMessages } from '../../language/language';
import styles from './hits.module.css';
import { messages } from './messages';

const NAMES = ['words', 'meaning', 'rerank'] as const;

interface Parts extends Record<(typeof NAMES)[number], number | null> {
  logOdds: { base: number; words: number; meaning: number } | null;
}

/** What a score is made of, and how that adds up to it; parts that this search has none of are left out. */
export function ScoreParts({ parts }: { parts: Parts }) {
  const t = useMessages(messages);
  const format = useFormat();
  const given = NAMES.filter((name) => parts[name] !== null);
  if (given.length === 0) return null;
  return (
    <dl className={styles.parts}>
      {given.map((name) => (
        <div key={name}>
          <dt>{t.parts[name]}</dt>
          <dd>{format.score(parts[name] ?? 0)}</dd>
        </div>
      ))}
      {parts.logOdds && (
        <div>
          <dt>{t.parts.logOdds}</dt>
          <dd>{t.sum(parts.logOdds)}</dd>
        </div>
      )}
    </dl>
  );
}
