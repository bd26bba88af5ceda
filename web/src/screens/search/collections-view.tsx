import { getRouteApi, Link } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { EmptyState } from '../../ui/notice';
import { CollectionDetail } from './collection-detail';
import styles from './collections.module.css';
import { messages } from './messages';
import { useCollections } from './use-evaluations';

const route = getRouteApi('/search');

/** The judged collections of the unit, and one of them. */
export function CollectionsView() {
  const t = useMessages(messages);
  const format = useFormat();
  const { collection } = route.useSearch();
  const collections = useCollections();
  if (collections.error) return <CallError error={collections.error} onRetry={collections.refetch} />;
  if (!collections.data) return <p role="status">{t.collections.loading}</p>;
  if (collections.data.length === 0) {
    return (
      <EmptyState title={t.collections.none.title}>
        <p>{t.collections.none.text}</p>
        <Link to="/search" search={(now) => ({ ...now, view: undefined })}>
          {t.collections.none.link}
        </Link>
      </EmptyState>
    );
  }
  const chosen = collections.data.find((one) => one.collection === collection) ?? collections.data[0];
  return (
    <>
      <nav aria-label={t.collections.title}>
        <ul className={styles.collections}>
          {collections.data.map((one) => (
            <li key={one.collection}>
              <Link
                from="/search"
                to="/search"
                search={(now) => ({ ...now, collection: one.collection })}
                data-chosen={one === chosen}
              >
                <strong>{one.collection}</strong>
                <span>{t.collections.questions(one.questions)}</span>
                <span>
                  {one.lastRun
                    ? `${t.measures.ndcg} ${format.score(one.lastRun.ndcgAt10)}`
                    : t.collections.notRun}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {chosen && <CollectionDetail key={chosen.collection} collection={chosen.collection} />}
    </>
  );
}
