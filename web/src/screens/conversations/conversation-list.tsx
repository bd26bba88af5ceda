import { getRouteApi, Link } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/notice';
import { Pager } from '../../ui/pager';
import styles from './conversations.module.css';
import { messages } from './messages';
import { usePendingDeletions } from './pending-deletions';
import type { ListedConversation } from './search-params';
import { StatusBadge } from './status-badge';
import { useConversations } from './use-conversations';

const route = getRouteApi('/conversations');

/** The conversations that fit the filters, a page of them. */
export function ConversationList() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useConversations(search);
  const deleted = usePendingDeletions();
  const shown = list.data?.items.filter(({ id }) => !deleted.has(id));
  const isFiltered = Boolean(search.state || search.agent || search.assignment);
  const setPage = (page: number) =>
    navigate({ search: (now) => ({ ...now, page: page > 1 ? page : undefined }) });
  const clear = () =>
    navigate({ search: (now) => ({ ...now, state: undefined, agent: undefined, assignment: undefined }) });
  return (
    <>
      {list.error && <CallError error={list.error} onRetry={list.refetch} />}
      {list.isPending && <p className={styles.soft}>{t.loading}</p>}
      {shown && shown.length > 0 && (
        <nav aria-label={t.list}>
          <ul className={styles.list}>
            {shown.map((conversation) => (
              <Item
                key={conversation.id}
                conversation={conversation}
                isChosen={conversation.id === search.conversation}
              />
            ))}
          </ul>
        </nav>
      )}
      {list.data && list.data.items.length > 0 && <Pager list={list.data} onPage={setPage} />}
      {shown?.length === 0 &&
        list.data?.totalCount === 0 &&
        (isFiltered ? (
          <EmptyState title={t.empty.filtered}>
            <Button onClick={clear}>{t.empty.clear}</Button>
          </EmptyState>
        ) : (
          <EmptyState title={t.empty.title}>
            <p>{t.empty.text}</p>
          </EmptyState>
        ))}
    </>
  );
}

function Item({ conversation, isChosen }: { conversation: ListedConversation; isChosen: boolean }) {
  const t = useMessages(messages);
  const format = useFormat();
  const { id, topic, status, messageCount, createdTime } = conversation;
  return (
    <li>
      <Link
        from="/conversations"
        to="/conversations"
        search={(now) => ({ ...now, conversation: id })}
        className={styles.item}
        aria-current={isChosen ? 'true' : undefined}
        preload={false}
      >
        <span className={styles.topic}>{topic || t.noTopic}</span>
        <span className={styles.line}>
          <StatusBadge status={status} />
          <span>{t.messages(messageCount)}</span>
          <time dateTime={createdTime}>{format.time(createdTime)}</time>
        </span>
      </Link>
    </li>
  );
}
