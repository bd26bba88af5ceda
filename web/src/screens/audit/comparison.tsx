import { useMessages } from '../../language/language';
import styles from './audit.module.css';
import { messages } from './messages';

type Fields = Record<string, unknown> | null;

/** Fields as they were, beside what they became. */
export function Comparison({ before, after }: { before: Fields; after: Fields }) {
  const t = useMessages(messages);
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return <p className={styles.soft}>{t.unchanged}</p>;
  return (
    <table className={styles.comparison}>
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          {before && <th scope="col">{t.before}</th>}
          {after && <th scope="col">{t.after}</th>}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {before && (
              <td>
                <Value of={before[name]} was={after?.[name]} change="del" />
              </td>
            )}
            {after && (
              <td>
                <Value of={after[name]} was={before?.[name]} change="ins" />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ValueProps {
  of: unknown;
  /** On the other side. */
  was: unknown;
  change: 'del' | 'ins';
}

function Value({ of, was, change: Change }: ValueProps) {
  const t = useMessages(messages);
  if (of === undefined || of === null || of === '') return <span className={styles.soft}>{t.none}</span>;
  const text = typeof of === 'string' ? of : JSON.stringify(of);
  const isSame = JSON.stringify(of) === JSON.stringify(was);
  return isSame ? text : <Change className={styles[Change]}>{text}</Change>;
}
