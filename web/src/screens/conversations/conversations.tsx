import { getRouteApi } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { PermissionGate } from '../../api/permission-gate';
import { ViewLinks } from '../../common/views/view-links';
import { useMessages } from '../../language/language';
import { PageHeader } from '../../ui/page-header';
import { RunProgress } from './bulk/run-progress';
import { Conversation } from './conversation';
import { ConversationFilters } from './conversation-filters';
import { ConversationList } from './conversation-list';
import styles from './conversations.module.css';
import { FoundMessages } from './found-messages';
import { messages } from './messages';
import { usePendingDeletions } from './pending-deletions';
import { SearchField } from './search-field';
import { viewed } from './viewed';

const route = getRouteApi('/conversations');

/** A list of conversations beside the one that is chosen; on narrow screens one or the other. */
export function ConversationsScreen() {
  const t = useMessages(messages);
  const { conversation, q } = route.useSearch();
  const deleted = usePendingDeletions();
  const chosen = conversation !== undefined && !deleted.has(conversation) ? conversation : undefined;
  return (
    <PermissionGate permission="conversations:read" title={t.title}>
      <PageHeader title={t.title} />
      <div className={chosen === undefined ? styles.panes : `${styles.panes} ${styles.withChosen}`}>
        <div className={styles.listPane}>
          <ViewLinks list={viewed} />
          <SearchField />
          <ConversationFilters />
          <RunProgress />
          {q === undefined ? <ConversationList /> : <FoundMessages query={q} />}
        </div>
        <div className={styles.chosenPane}>
          {chosen === undefined ? (
            <section className={styles.nothing}>
              <MessagesSquare />
              <h2>{t.choose.title}</h2>
              <p>{t.choose.text}</p>
            </section>
          ) : (
            <Conversation key={chosen} conversationId={chosen} />
          )}
        </div>
      </div>
    </PermissionGate>
  );
}
