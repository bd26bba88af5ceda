import { memo } from 'react';
import type { Outputs } from '../../api/trpc';
import styles from './conversations.module.css';
import { Message } from './message';

type MessageRecord = Outputs['messages']['list']['items'][number];

interface MessagePageProps {
  messages: readonly MessageRecord[];
  /** Whether the latest is the first of them. It is shown as the last. */
  isReversed: boolean;
}

/** Messages that were read together. Neither React nor the browser looks at pages that are out of sight. */
export const MessagePage = memo(function MessagePage({ messages, isReversed }: MessagePageProps) {
  const shown = isReversed ? [...messages].reverse() : messages;
  return (
    <ol className={styles.messages}>
      {shown.map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </ol>
  );
});

/** The pages without messages that are in one before: any that came meanwhile moved others to the next page. */
export function withoutRepeated(pages: readonly MessageRecord[][]): MessageRecord[][] {
  const seen = new Set<string>();
  return pages.map((page) => {
    const fresh = page.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    // The same page is rendered once.
    return fresh.length === page.length ? page : fresh;
  });
}
