import styles from './charts.module.css';
import type { ChartTone } from './series';

interface Part {
  name: string;
  tone: ChartTone;
  value: number;
}

/** The shares of a whole. The numbers stand beside it, so that nobody needs to see it. */
export function StackedBar({ parts }: { parts: readonly Part[] }) {
  return (
    <div className={styles.stack} aria-hidden="true">
      {parts.map(({ name, tone, value }) => (
        <div
          key={name}
          title={name}
          className={`${styles.part} ${styles[tone]}`}
          style={{ flexGrow: value }}
        />
      ))}
    </div>
  );
}
