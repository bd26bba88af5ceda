import type { ReactNode } from 'react';
import styles from './ui.module.css';

export type Tone = 'neutral' | 'good' | 'bad' | 'busy' | 'warning' | 'accent';

/** A state in a word. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={tone === 'neutral' ? styles.badge : `${styles.badge} ${styles[tone]}`}>{children}</span>
  );
}
