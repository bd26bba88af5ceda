import { type ReactNode, useEffect } from 'react';
import styles from './page-header.module.css';

/** The title of a screen, of the browser's tab too, beside what can be done here. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Lectern`;
  }, [title]);
  return (
    <div className={styles.header}>
      <h1>{title}</h1>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
