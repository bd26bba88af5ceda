import type { ReactNode } from 'react';
import styles from './charts.module.css';

/** What is used of several limits. */
export const UsageList = ({ children }: { children: ReactNode }) => (
  <ul className={styles.usage}>{children}</ul>
);

interface UsageProps {
  name: string;
  /** How much, in words. */
  text: string;
  used: number;
  /** Without a limit there is no bar. */
  limit: number | null;
}

/** One of them, with a bar; from nine tenths on it is a warning. */
export function Usage({ name, text, used, limit }: UsageProps) {
  return (
    <li>
      <span className={styles.usageName}>{name}</span>
      <span>{text}</span>
      {limit !== null && (
        <progress
          className={`${styles.meter} ${toneOf(used, limit)}`}
          aria-label={name}
          max={limit || 1}
          value={Math.min(used, limit)}
        />
      )}
    </li>
  );
}

function toneOf(used: number, limit: number): string | undefined {
  if (used >= limit) return styles.bad;
  return used >= 0.9 * limit ? styles.busy : styles.accent;
}
