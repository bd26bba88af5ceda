import type { ReactNode } from 'react';
import { type Dictionary, useFormat, useMessages } from '../language/language';
import { Button } from './button';
import styles from './pager.module.css';

const en = {
  pages: 'Pages',
  range: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
  previous: 'Previous',
  next: 'Next',
};
const zh: typeof en = {
  pages: '分页',
  range: (from, to, total) => `第 ${from} 至 ${to} 条，共 ${total} 条`,
  previous: '上一页',
  next: '下一页',
};
const messages: Dictionary<typeof en> = { en, zh };

interface PagerProps {
  list: {
    page: number;
    pageSize: number;
    items: readonly unknown[];
    totalCount: number;
    hasNextPage: boolean;
  };
  onPage: (page: number) => void;
  /** What can be done with the list, at the end of the line. */
  children?: ReactNode;
}

/** Which of all entries the page holds, and the way to the pages beside it. */
export function Pager({
  list: { page, pageSize, items, totalCount, hasNextPage },
  onPage,
  children,
}: PagerProps) {
  const t = useMessages(messages);
  const { count } = useFormat();
  const first = (page - 1) * pageSize + 1;
  return (
    <nav className={styles.pager} aria-label={t.pages}>
      <span>{t.range(count(first), count(first + items.length - 1), count(totalCount))}</span>
      {page > 1 && (
        <Button size="small" onClick={() => onPage(page - 1)}>
          {t.previous}
        </Button>
      )}
      {hasNextPage && (
        <Button size="small" onClick={() => onPage(page + 1)}>
          {t.next}
        </Button>
      )}
      {children && <div className={styles.tools}>{children}</div>}
    </nav>
  );
}
