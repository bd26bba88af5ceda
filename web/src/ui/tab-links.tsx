import type { ReactNode } from 'react';
import styles from './tabs.module.css';

/** Links to the views of a screen, each with an address of its own. */
export function TabLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
