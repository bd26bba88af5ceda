import { memo } from 'react';
import styles from './conversations.module.css';
import type { MessageRecord } from './live-messages';
import { Message } from './message';

interface MessagePageProps {
  messages: readonly MessageRecord[];
  /** The message at which the transcript was opened. */
  openedId: string | undefined;
}

/** About what a message takes, until the browser has seen it. */
const MESSAGE_REM = 7;
const OneMessage = memo(Message);

/** Messages that are rendered together. Neither React nor the browser looks at pages that are out of sight. */
export const MessagePage = memo(
  function MessagePage({ messages, openedId }: MessagePageProps) {
    return (
      <ol
        className={styles.messages}
        style={{ containIntrinsicSize: `auto ${MESSAGE_REM * messages.length}rem` }}
      >
        {messages.map((message) => (
          <OneMessage key={message.id} message={message} isOpened={message.id === openedId} />
        ))}
      </ol>
    );
  },
  ({ messages: before, openedId: openedBefore }, { messages, openedId }) =>
    openedBefore === openedId &&
    before.length === messages.length &&
    before.every((message, place) => message === messages[place]),
);
