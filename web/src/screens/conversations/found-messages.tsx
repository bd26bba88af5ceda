import { getRouteApi, Link } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import type { Outputs } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { MarkedText } from '../../ui/marked-text';
import { EmptyState } from '../../ui/notice';
import { Time } from '../../ui/time';
import styles from './conversations.module.css';
import { messages } from './messages';
import { senderOf } from './sender';
import { useFoundMessages } from './use-conversations';
import { useStepKeys } from './use-step-keys';

type Hit = Outputs['messages']['search']['hits'][number];

const route = getRouteApi('/conversations');

/** The messages and topics that have the words, best first, each with a link to its place in the transcript. */
export function FoundMessages({ query }: { query: string }) {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useFoundMessages(query, search);
  const hits = found.data?.hits;
  const isOpened = ({ conversationId, messageId }: Hit) =>
    conversationId === search.conversation && (messageId ?? undefined) === search.message;
  const element = useStepKeys({
    list: query,
    items: hits ?? [],
    isOpened,
    onOpen: ({ conversationId, messageId }) =>
      void navigate({
        search: (now) => ({ ...now, conversation: conversationId, message: messageId ?? undefined }),
      }),
  });
  const showAll = (
    <Button size="small" onClick={() => navigate({ search: (now) => ({ ...now, q: undefined }) })}>
      {t.search.clear}
    </Button>
  );
  return (
    <>
      {found.error && <CallError error={found.error} onRetry={found.refetch} />}
      {found.isPending && <p className={styles.soft}>{t.loading}</p>}
      {hits && hits.length > 0 && (
        <>
          <p className={styles.line} role="status">
            <span>{t.search.count(hits.length, found.data?.isTruncated ?? false)}</span>
            {showAll}
          </p>
          <nav aria-label={t.search.hits}>
            <ul ref={element} className={styles.list}>
              {hits.map((hit) => (
                <HitItem key={hit.messageId ?? hit.conversationId} hit={hit} isChosen={isOpened(hit)} />
              ))}
            </ul>
          </nav>
        </>
      )}
      {hits?.length === 0 && (
        <EmptyState title={t.search.nothing}>
          <p>{t.search.hint}</p>
          {showAll}
        </EmptyState>
      )}
    </>
  );
}

function HitItem({ hit, isChosen }: { hit: Hit; isChosen: boolean }) {
  const t = useMessages(messages);
  const { conversationId, messageId, messageFrom, requestedTime, topic, passage, marks } = hit;
  return (
    <li>
      <Link
        from="/conversations"
        to="/conversations"
        search={(now) => ({ ...now, conversation: conversationId, message: messageId ?? undefined })}
        className={styles.item}
        aria-current={isChosen ? 'true' : undefined}
        preload={false}
      >
        <span className={styles.topic}>{topic || t.noTopic}</span>
        {messageId !== null && (
          <span className={styles.passage}>
            <MarkedText text={passage} marks={marks} />
          </span>
        )}
        <span className={styles.line}>
          <span>{messageFrom === null ? t.search.topic : senderOf(messageFrom, t)}</span>
          {requestedTime && <Time iso={requestedTime} />}
        </span>
      </Link>
    </li>
  );
}
