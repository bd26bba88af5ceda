import { useMessages } from '../../language/language';
import styles from './audit.module.css';
import { messages } from './messages';

type Fields = Record<string, unknown> | null;

const isNothing = (value: unknown) => value === undefined || value === null || value === '';

/** Fields as they were, beside what they became. */
export function Comparison({ before, after }: { before: Fields; after: Fields }) {
  const t = useMessages(messages);
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => !(isNothing(before?.[name]) && isNothing(after?.[name])),
  );
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
                <Value of={before[name]} other={after} name={name} change="del" />
              </td>
            )}
            {after && (
              <td>
                <Value of={after[name]} other={before} name={name} change="ins" />
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
  /** The other side. */
  other: Fields;
  name: string;
  change: 'del' | 'ins';
}

/** A value, in colour where it differs from the one on the other side. */
function Value({ of, other, name, change: Change }: ValueProps) {
  const t = useMessages(messages);
  if (isNothing(of)) return <span className={styles.soft}>{t.none}</span>;
  const text = typeof of === 'string' ? of : JSON.stringify(of);
  const isSame = other === null || JSON.stringify(of) === JSON.stringify(other[name]);
  return isSame ? text : <Change className={styles[Change]}>{text}</Change>;
}
