import type { ReactNode } from 'react';
import styles from './overview.module.css';

interface ChartProps {
  title: string;
  /** The numbers that matter most. */
  summary: string;
  children: ReactNode;
}

/** A chart under its title. */
export const Chart = ({ title, summary, children }: ChartProps) => (
  <div className={styles.chart}>
    <h3>{title}</h3>
    <p>{summary}</p>
    {children}
  </div>
);
