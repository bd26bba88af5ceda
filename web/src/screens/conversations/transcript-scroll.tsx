import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { ScrollBox } from '../../ui/scroll-box';
import styles from './conversations.module.css';
import { messages } from './messages';

interface TranscriptScrollProps {
  isFromEnd: boolean;
  /** Whether what is last here is the last of all. */
  isEndRead: boolean;
  latestId: string | undefined;
  /** The end is wanted, and not read. */
  onEnd: () => void;
  children: ReactNode;
}

/** So far from the end, it is seen. */
const NEAR_PX = 8;

/** Stays at its end while messages come, once it is there. Elsewhere it stays where it is, and offers to go to the end. */
export function TranscriptScroll({ isFromEnd, isEndRead, latestId, onEnd, children }: TranscriptScrollProps) {
  const t = useMessages(messages);
  const scroll = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // The state is rendered later than a resize comes.
  const isAtEnd = useRef(isFromEnd);
  const [isEndSeen, setEndSeen] = useState(isFromEnd);
  const [seenId, setSeenId] = useState(latestId);
  if (isEndSeen && seenId !== latestId) setSeenId(latestId);
  const look = () => {
    const element = scroll.current;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const distance = isFromEnd ? -scrollTop : scrollHeight - clientHeight - scrollTop;
    isAtEnd.current = isEndRead && distance <= NEAR_PX;
    setEndSeen(isAtEnd.current);
  };
  const goToEnd = () => {
    const element = scroll.current;
    if (element) element.scrollTop = isFromEnd ? 0 : element.scrollHeight;
  };
  const onResize = useEffectEvent(() => {
    if (isAtEnd.current) goToEnd();
    else look();
  });
  useEffect(() => {
    if (!content.current) return;
    const observer = new ResizeObserver(onResize);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div className={styles.scrollFrame}>
      <ScrollBox
        ref={scroll}
        label={t.transcript.messages}
        className={isFromEnd ? `${styles.scroll} ${styles.fromEnd}` : styles.scroll}
        onScroll={look}
      >
        <div ref={content} className={styles.said}>
          {children}
        </div>
      </ScrollBox>
      {!isEndSeen && seenId !== latestId && (
        <div className={styles.newMessages}>
          <Button
            kind="primary"
            size="small"
            onClick={() => {
              // The button is gone then.
              scroll.current?.focus();
              if (isEndRead) goToEnd();
              else onEnd();
            }}
          >
            {t.transcript.newMessages}
          </Button>
        </div>
      )}
    </div>
  );
}
