import { getRouteApi, Link } from '@tanstack/react-router';
import { Author } from '../../api/author';
import { CallError } from '../../api/call-error';
import { readFailure } from '../../api/errors';
import { useScope } from '../../api/scope';
import { AgentId } from '../../common/conversations/agent-id';
import { useMessages } from '../../language/language';
import { ShortId } from '../../ui/copy-id';
import { EmptyState } from '../../ui/notice';
import { Person } from '../../ui/person';
import { Time } from '../../ui/time';
import { ConversationHeader } from './conversation-header';
import styles from './conversations.module.css';
import { messages } from './messages';
import { Reviews } from './reviews';
import { StatusHistory } from './status-history';
import { Transcript } from './transcript';
import { useConversation } from './use-conversations';

const route = getRouteApi('/conversations');

/** The chosen conversation: what it is, what became of it, what was said. */
export function Conversation({ conversationId }: { conversationId: string }) {
  const t = useMessages(messages);
  const { data: conversation, error, refetch } = useConversation(conversationId);
  const search = route.useSearch();
  const { tenantUnitId } = useScope();
  const back = (
    <Link
      to="/conversations"
      search={{ ...search, conversation: undefined, message: undefined }}
      className={styles.back}
    >
      {t.back}
    </Link>
  );
  if (error && readFailure(error).status === 404) {
    return (
      <>
        {back}
        <EmptyState title={t.missing.title}>
          <p>{t.missing.text}</p>
        </EmptyState>
      </>
    );
  }
  if (!conversation) {
    return (
      <>
        {back}
        {error ? <CallError error={error} onRetry={refetch} /> : <p className={styles.soft}>{t.loading}</p>}
      </>
    );
  }
  const facts = [
    [t.agent, <AgentId key="agent" id={conversation.agentId} />],
    [t.assignment, conversation.assignmentId],
    // The sidebar names the unit that is chosen.
    [t.facts.unit, conversation.tenantUnitId !== tenantUnitId && conversation.tenantUnitId],
    [
      t.facts.user,
      conversation.createdByName === null ? (
        <Author key="user" userId={conversation.userId} />
      ) : (
        <Person key="user" userId={conversation.userId} name={conversation.createdByName} />
      ),
    ],
    [t.facts.created, <Time key="created" iso={conversation.createdTime} />],
    [t.facts.updated, <Time key="updated" iso={conversation.updatedTime} />],
    [t.facts.id, <ShortId key="id" id={conversation.id} />],
  ] as const;
  return (
    <>
      {back}
      <ConversationHeader conversation={conversation} />
      {error && <CallError error={error} onRetry={refetch} />}
      <dl className={styles.facts}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <Reviews conversation={conversation} />
      <StatusHistory conversation={conversation} />
      <Transcript key={search.message} conversation={conversation} messageId={search.message} />
    </>
  );
}
