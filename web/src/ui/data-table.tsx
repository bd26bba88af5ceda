import type { ReactElement, ReactNode } from 'react';
import styles from './data-table.module.css';

interface DataTableProps {
  /** Says what the rows are, to those who do not see it. */
  caption: string;
  /** Titles, a `SortHeading` or a `NumberHeading`; an empty one is of a column with buttons. */
  columns: readonly (string | ReactElement)[];
  /** Rows, whose cells are `Cell`. */
  children: ReactNode;
}

/** Rows under titles; on narrow screens a card for each row. */
export function DataTable({ caption, columns, children }: DataTableProps) {
  return (
    <table className={styles.table}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((title) =>
            typeof title !== 'string' ? (
              title
            ) : title === '' ? (
              <td key={title} />
            ) : (
              <th key={title} scope="col">
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The title of a column of cells of the kind `number`. */
export const NumberHeading = ({ title }: { title: string }) => (
  <th scope="col" className={styles.number}>
    {title}
  </th>
);

interface CellProps {
  /** The title of its column, which is shown in a card. */
  label?: string;
  /** `wide` is for names, and takes all of the width of a card; `actions` holds buttons. */
  kind?: 'wide' | 'actions' | 'soft' | 'number';
  children: ReactNode;
}

export function Cell({ label, kind, children }: CellProps) {
  return (
    <td data-label={label} className={kind && styles[kind]}>
      {children}
    </td>
  );
}

/** A row that unfolds what belongs to the row before it. */
export function DetailRow({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr className={styles.detail}>
      <td colSpan={columns} className={styles.wide}>
        {children}
      </td>
    </tr>
  );
}
