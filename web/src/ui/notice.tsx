import type { ReactNode } from 'react';
import styles from './ui.module.css';

/** What went wrong, and what to do about it. */
export function ErrorNotice({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={`${styles.notice} ${styles.bad}`}>
      {children}
    </div>
  );
}

/** Something to know, which is read out when it appears. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={styles.notice}>
      {children}
    </div>
  );
}

/** Why there is nothing to see, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <section className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
