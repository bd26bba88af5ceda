import { getRouteApi, Link } from '@tanstack/react-router';
import { PermissionGate } from '../../api/permission-gate';
import { useMessages } from '../../language/language';
import { EmptyState } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { AskView } from './ask-view';
import { CollectionsView } from './collections-view';
import { messages } from './messages';
import styles from './search.module.css';
import { SynonymsView } from './synonyms-view';
import { useUnitScope } from './use-evaluations';

const route = getRouteApi('/search');

/** Asks questions, and measures what those of judged collections find. */
export function SearchLab() {
  const t = useMessages(messages);
  const { view } = route.useSearch();
  const scope = useUnitScope();
  if (!scope) {
    return (
      <>
        <PageHeader title={t.title} />
        <EmptyState title={t.needsUnit.title}>
          <p>{t.needsUnit.text}</p>
        </EmptyState>
      </>
    );
  }
  return (
    <PermissionGate permission="search" title={t.title}>
      <PageHeader title={t.title}>
        <nav className={styles.tabs} aria-label={t.title}>
          <Link
            to="/search"
            search={(now) => ({ ...now, view: undefined })}
            activeOptions={{ explicitUndefined: true }}
            aria-current={view ? undefined : 'page'}
          >
            {t.ask}
          </Link>
          <Link
            to="/search"
            search={(now) => ({ ...now, view: 'collections' })}
            aria-current={view === 'collections' ? 'page' : undefined}
          >
            {t.collections.title}
          </Link>
          <Link
            to="/search"
            search={(now) => ({ ...now, view: 'synonyms' })}
            aria-current={view === 'synonyms' ? 'page' : undefined}
          >
            {t.synonyms.title}
          </Link>
        </nav>
      </PageHeader>
      {view === 'collections' && <CollectionsView />}
      {view === 'synonyms' && <SynonymsView />}
      {!view && <AskView />}
    </PermissionGate>
  );
}
