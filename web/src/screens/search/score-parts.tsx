import { useFormat, useMessages } from '../../language/language';
import styles from './hits.module.css';
import { messages } from './messages';

const NAMES = ['words', 'meaning', 'rerank'] as const;

/** What a score is made of; parts that this search has none of are left out. */
export function ScoreParts({ parts }: { parts: Record<(typeof NAMES)[number], number | null> }) {
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
    </dl>
  );
}
