import { type ReactNode, useState } from 'react';
import type { Outputs } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { JsonBlock } from '../../ui/json-block';
import styles from './conversations.module.css';
import { messages } from './messages';

type MessageRecord = Outputs['messages']['list']['items'][number];

/** More is shown when it is asked for: megabytes of text would hold up the page. */
const MAX_LENGTH = 20_000;
const NOTHING = '–';

/** What somebody said, with what is known of it. */
export function Message({ message }: { message: MessageRecord }) {
  const t = useMessages(messages);
  const format = useFormat();
  const { messageFrom, requestedTime, inputTokens, answerTokens, totalTokens, runId } = message;
  const { senders } = t.transcript;
  // A runtime may write any name, also that of what every object has.
  const sender = Object.hasOwn(senders, messageFrom)
    ? senders[messageFrom as keyof typeof senders]
    : messageFrom;
  const count = (tokens: number | null) => (tokens === null ? NOTHING : format.count(tokens));
  // Whoever does not count them writes none, or zero.
  const hasTokens = [inputTokens, answerTokens, totalTokens].some(Boolean);
  const isOfUser = messageFrom === 'user';
  return (
    <li className={isOfUser ? `${styles.message} ${styles.ofUser}` : styles.message}>
      <article className={styles.bubble}>
        <header className={styles.line}>
          <strong>{sender}</strong>
          <time dateTime={requestedTime}>{format.time(requestedTime)}</time>
        </header>
        <Content content={message.content} />
        <footer className={styles.line}>
          {hasTokens && (
            <span>{t.transcript.tokens(count(inputTokens), count(answerTokens), count(totalTokens))}</span>
          )}
          <span>
            {t.transcript.run} <code>{runId}</code>
          </span>
          {message.type && (
            <span>
              {t.transcript.kind}: {message.type}
            </span>
          )}
          {message.status && (
            <span>
              {t.transcript.state}: {message.status}
            </span>
          )}
          {message.feedback && (
            <span>
              {t.transcript.feedback}: {message.feedback}
            </span>
          )}
        </footer>
        {message.eventTrace && (
          <Unfold title={t.transcript.trace}>
            <JsonBlock value={message.eventTrace} />
          </Unfold>
        )}
        {message.metadata && Object.keys(message.metadata).length > 0 && (
          <Unfold title={t.transcript.metadata}>
            <JsonBlock value={message.metadata} />
          </Unfold>
        )}
      </article>
    </li>
  );
}

function Content({ content }: { content: string }) {
  const t = useMessages(messages);
  const [isAll, setAll] = useState(false);
  const isCut = !isAll && content.length > MAX_LENGTH;
  return (
    <>
      <p className={styles.content}>{isCut ? `${content.slice(0, MAX_LENGTH)}…` : content}</p>
      {isCut && (
        <Button size="small" onClick={() => setAll(true)}>
          {t.transcript.all}
        </Button>
      )}
    </>
  );
}

/** What is rendered only while it is open. */
function Unfold({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.unfold} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
