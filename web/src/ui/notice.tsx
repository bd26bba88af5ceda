import type { LucideIcon } from 'lucide-react';
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

interface EmptyStateProps {
  title: string;
  /** Whether there is no other heading. */
  isPage?: boolean;
  /** Of what there is none of. */
  Icon?: LucideIcon;
  children?: ReactNode;
}

/** Why there is nothing to see, and what to do about it. */
export function EmptyState({ title, isPage = false, Icon, children }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <section className={styles.empty}>
      {Icon && (
        <span className={styles.disc}>
          <Icon />
        </span>
      )}
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}
