import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CallError } from '../../api/call-error';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { MarkdownChoice } from '../../ui/markdown/markdown-choice';
import { useMarkdown } from '../../ui/markdown/use-markdown';
import { Announcement } from './announcement';
import styles from './conversations.module.css';
import { mergeMessages } from './merge-messages';
import { MessagePage } from './message-page';
import { messages } from './messages';
import type { Conversation } from './search-params';
import { TranscriptScroll } from './transcript-scroll';
import { isUnderWay, useMessageCount, useTranscript } from './use-conversations';
import { type Connection, useLiveMessages } from './use-live-messages';

interface TranscriptProps {
  conversation: Conversation;
  /** The message at which it opens. Without one it opens at its beginning, or at its end while an agent is at work. */
  messageId: string | undefined;
}

/**
 * What was said, from the end or from the beginning or around a message, and what is being said. More is read when the list is scrolled to
 * where it ends.
 */
export function Transcript({ conversation, messageId }: TranscriptProps) {
  const t = useMessages(messages);
  const [isFromEnd, setFromEnd] = useState(messageId === undefined && isUnderWay(conversation));
  const live = useLiveMessages(conversation.id);
  const { isReady } = useMarkdown();
  const isLive = live.connection === 'live';
  const around = isFromEnd ? undefined : messageId;
  const transcript = useTranscript(conversation, { isFromEnd, around, isLive, enabled: live.isReady });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = transcript;
  const { hasPreviousPage, isFetchingPreviousPage, fetchPreviousPage } = transcript;
  const hasSeveralPages = data !== undefined && data.pages.length > 1;
  const readAt = data?.pages[0]?.readAt;
  const tooOld = live.since !== undefined && readAt !== undefined && readAt < live.since ? readAt : undefined;
  useEffect(() => {
    if (tooOld !== undefined) void refetch({ cancelRefetch: false });
  }, [tooOld, refetch]);
  const { blocks, latestId } = mergeMessages(data?.pages ?? [], live.messages, {
    isFromEnd,
    isBeginningRead: isFromEnd ? !hasNextPage : !hasPreviousPage,
    isEndRead: isFromEnd || !hasNextPage,
  });
  const count = useCount(conversation.id, transcript, {
    shown: blocks.reduce((sum, block) => sum + block.messages.length, 0),
    hasChanged: live.messages.byId.size > 0,
  });
  const more = hasNextPage && (
    <MoreButton
      label={isFromEnd ? t.transcript.earlier : t.transcript.later}
      isDisabled={isFetchingNextPage}
      isAutomatic={!error}
      onMore={() => void fetchNextPage()}
    />
  );
  return (
    <section className={styles.transcript} aria-label={t.transcript.title}>
      <div className={styles.transcriptHead}>
        <h3 className={styles.subtitle}>
          {t.transcript.title}
          {data && <span className={styles.soft}> · {t.messages(count)}</span>}
        </h3>
        <div className={styles.tools}>
          {blocks.length > 0 && <MarkdownChoice />}
          <ConnectionState connection={live.connection} />
          {(hasNextPage || (!isFromEnd && (messageId !== undefined || hasSeveralPages))) && (
            <Button size="small" onClick={() => setFromEnd(!isFromEnd)}>
              {isFromEnd ? t.transcript.fromStart : t.transcript.fromEnd}
            </Button>
          )}
          {!isLive && live.isReady && (
            <Button size="small" disabled={transcript.isFetching} onClick={() => void refetch()}>
              {t.transcript.refresh}
            </Button>
          )}
        </div>
      </div>
      {error && <CallError error={error} onRetry={() => void (data ? fetchNextPage() : refetch())} />}
      {(transcript.isPending || !isReady) && <p className={styles.soft}>{t.loading}</p>}
      {data && blocks.length === 0 && <p className={styles.soft}>{t.transcript.empty}</p>}
      {data && blocks.length > 0 && isReady && (
        <TranscriptScroll
          key={around ?? String(isFromEnd)}
          isFromEnd={isFromEnd}
          isEndRead={isFromEnd || !hasNextPage}
          latestId={latestId}
          onEnd={() => setFromEnd(true)}
        >
          {isFromEnd && (more || <p className={styles.begin}>{t.transcript.start}</p>)}
          {!isFromEnd && hasPreviousPage && (
            <MoreButton
              label={t.transcript.earlier}
              isDisabled={isFetchingPreviousPage}
              isAutomatic={false}
              onMore={() => void fetchPreviousPage()}
            />
          )}
          {blocks.map(({ key, messages }) => (
            <MessagePage key={key} messages={messages} openedId={around} />
          ))}
          {!isFromEnd && more}
        </TranscriptScroll>
      )}
      <Announcement finished={live.messages.finished} />
    </section>
  );
}

/** How many messages there are: all that are shown, or what the server counts where not all are. */
function useCount(
  conversationId: string,
  { data, hasNextPage }: Pick<ReturnType<typeof useTranscript>, 'data' | 'hasNextPage'>,
  { shown, hasChanged }: { shown: number; hasChanged: boolean },
): number {
  const counted = useMessageCount(conversationId, hasNextPage && hasChanged) ?? 0;
  if (!hasNextPage) return shown;
  return Math.max(shown, counted, ...(data?.pages.map(({ totalCount }) => totalCount) ?? []));
}

function ConnectionState({ connection }: { connection: Connection }) {
  const t = useMessages(messages);
  return (
    <span role="status" className={connection ? `${styles.connection} ${styles[connection]}` : undefined}>
      {connection && t.transcript.connection[connection]}
    </span>
  );
}

interface MoreButtonProps {
  label: string;
  isDisabled: boolean;
  /** Whether it is enough to scroll it into view. */
  isAutomatic: boolean;
  onMore: () => void;
}

function MoreButton({ label, isDisabled, isAutomatic, onMore }: MoreButtonProps) {
  const ref = useRef<HTMLDivElement>(null);
  const onSeen = useEffectEvent(onMore);
  const isWatching = isAutomatic && !isDisabled;
  useEffect(() => {
    if (!isWatching || !ref.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) onSeen();
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isWatching]);
  return (
    <div ref={ref} className={styles.more}>
      <Button size="small" disabled={isDisabled} onClick={onMore}>
        {label}
      </Button>
    </div>
  );
}
