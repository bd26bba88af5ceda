import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CallError } from '../../api/call-error';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import styles from './conversations.module.css';
import { MessagePage, withoutRepeated } from './message-page';
import { messages } from './messages';
import type { Conversation } from './search-params';
import { useTranscript } from './use-conversations';

/** What was said, from the end or from the beginning. More is read when the list is scrolled to where it ends. */
export function Transcript({ conversation }: { conversation: Conversation }) {
  const t = useMessages(messages);
  const [isFromEnd, setFromEnd] = useState(true);
  const transcript = useTranscript(conversation, isFromEnd);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = transcript;
  const pages = withoutRepeated(data?.pages.map(({ items }) => items) ?? []);
  const isEmpty = pages.every((page) => page.length === 0);
  const shown = isFromEnd ? [...pages.entries()].reverse() : [...pages.entries()];
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
          {data?.pages[0] && <span className={styles.soft}> · {t.messages(data.pages[0].totalCount)}</span>}
        </h3>
        <div className={styles.tools}>
          {(hasNextPage || !isFromEnd) && (
            <Button size="small" onClick={() => setFromEnd(!isFromEnd)}>
              {isFromEnd ? t.transcript.fromStart : t.transcript.fromEnd}
            </Button>
          )}
          <Button size="small" disabled={transcript.isFetching} onClick={() => void refetch()}>
            {t.transcript.refresh}
          </Button>
        </div>
      </div>
      {error && <CallError error={error} onRetry={() => void (data ? fetchNextPage() : refetch())} />}
      {transcript.isPending && <p className={styles.soft}>{t.loading}</p>}
      {data && isEmpty && <p className={styles.soft}>{t.transcript.empty}</p>}
      {!isEmpty && (
        <div
          key={String(isFromEnd)}
          className={isFromEnd ? `${styles.scroll} ${styles.fromEnd}` : styles.scroll}
        >
          <div className={styles.said}>
            {isFromEnd && (more || <p className={styles.begin}>{t.transcript.start}</p>)}
            {shown.map(([place, page]) => (
              <MessagePage key={place} messages={page} isReversed={isFromEnd} />
            ))}
            {!isFromEnd && more}
          </div>
        </div>
      )}
    </section>
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
