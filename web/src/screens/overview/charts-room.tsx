import { useMessages } from '../../language/language';
import { messages } from './messages';
import styles from './overview.module.css';

/** As high as charts that are still loaded. */
export function ChartsRoom({ count }: { count: 3 | 5 }) {
  const { loading } = useMessages(messages);
  return (
    <div className={styles.charts}>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={place} className={`${styles.loading} ${styles.room}`}>
          {place === 0 && loading}
        </div>
      ))}
    </div>
  );
}
