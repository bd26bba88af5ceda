import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  title: string;
  /** Beside the title. */
  actions?: ReactNode;
  /** Over all of the width. */
  isWide?: boolean;
  children: ReactNode;
}

/** A part of a screen under a title of its own. */
export function Panel({ title, actions, isWide = false, children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${styles.panel} ${isWide ? styles.wide : ''}`}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Panels beside each other, as many as there is room for. */
export const PanelGrid = ({ children }: { children: ReactNode }) => (
  <div className={styles.grid}>{children}</div>
);

/** What is said besides. */
export const Remark = ({ children }: { children: ReactNode }) => <p className={styles.soft}>{children}</p>;

interface StatProps {
  name: string;
  isText?: boolean;
  children: ReactNode;
}

/** Numbers with their names. */
export const Stats = ({ children }: { children: ReactNode }) => <dl className={styles.stats}>{children}</dl>;

/** One of them; words are smaller than numbers. */
export const Stat = ({ name, isText = false, children }: StatProps) => (
  <div className={`${styles.stat} ${isText ? styles.text : ''}`}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
