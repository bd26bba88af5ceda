import { Link } from '@tanstack/react-router';
import type { Outputs } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import styles from './documents.module.css';
import { messages } from './messages';

/** Which of all documents the page holds, and the way to the pages beside it. */
export function Pagination({ list }: { list: Outputs['documents']['list'] }) {
  const t = useMessages(messages);
  const { count } = useFormat();
  const { page, pageSize, items, totalCount, hasNextPage } = list;
  const first = (page - 1) * pageSize + 1;
  return (
    <nav className={styles.pages} aria-label={t.pages}>
      <span>{t.range(count(first), count(first + items.length - 1), count(totalCount))}</span>
      {page > 1 && (
        <Link to="/documents" search={(now) => ({ ...now, page: page === 2 ? undefined : page - 1 })}>
          {t.previous}
        </Link>
      )}
      {hasNextPage && (
        <Link to="/documents" search={(now) => ({ ...now, page: page + 1 })}>
          {t.next}
        </Link>
      )}
    </nav>
  );
}
