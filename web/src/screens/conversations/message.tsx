import { type ReactNode, useState } from 'react';
import type { Outputs } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { ShortId } from '../../ui/copy-id';
import { JsonBlock } from '../../ui/json-block';
import { useMarkdown } from '../../ui/markdown/use-markdown';
import { Time } from '../../ui/time';
import styles from './conversations.module.css';
import { MessageFeedback } from './message-feedback';
import { MessageState } from './message-state';
import { messages } from './messages';
import { senderOf } from './sender';

type MessageRecord = Outputs['messages']['list']['items'][number];

/** More is shown when it is asked for: megabytes of text would hold up the page. */
const MAX_LENGTH = 20_000;
/** Senders whose messages are not Markdown. */
const AS_WRITTEN = new Set(['user', 'tool']);

/** What somebody said, with what is known of it. */
export function Message({ message, isOpened }: { message: MessageRecord; isOpened: boolean }) {
  const t = useMessages(messages);
  const format = useFormat();
  const { messageFrom, requestedTime, inputTokens, answerTokens, totalTokens, runId } = message;
  const sender = senderOf(messageFrom, t);
  // Whoever does not count them writes none, or zero. A total of one number says nothing more.
  const tokens = [
    inputTokens && t.transcript.tokensIn(format.count(inputTokens)),
    answerTokens && t.transcript.tokensOut(format.count(answerTokens)),
    totalTokens &&
      totalTokens !== inputTokens &&
      totalTokens !== answerTokens &&
      t.transcript.tokensTotal(format.count(totalTokens)),
  ].filter((part) => typeof part === 'string');
  const isOfUser = messageFrom === 'user';
  return (
    <li
      ref={isOpened ? scrollTo : undefined}
      className={isOfUser ? `${styles.message} ${styles.ofUser}` : styles.message}
    >
      <article className={isOpened ? `${styles.bubble} ${styles.opened}` : styles.bubble}>
        <header className={styles.line}>
          <strong>{sender}</strong>
          <Time iso={requestedTime} />
        </header>
        <Content message={message} />
        <footer className={`${styles.line} ${styles.meta}`}>
          {tokens.length > 0 && <span>{t.transcript.tokens(tokens)}</span>}
          {message.type && message.type !== 'text' && (
            <span>{format.named(t.transcript.kind, message.type)}</span>
          )}
          <MessageState status={message.status} />
          {message.eventTrace && (
            <Unfold title={t.transcript.trace}>
              <JsonBlock label={t.transcript.trace} value={message.eventTrace} />
            </Unfold>
          )}
          <Unfold title={t.transcript.metadata}>
            <p className={styles.run}>
              {t.transcript.run} <ShortId id={runId} of={runId} />
            </p>
            {message.metadata && Object.keys(message.metadata).length > 0 && (
              <JsonBlock label={t.transcript.metadata} value={message.metadata} />
            )}
          </Unfold>
          <MessageFeedback message={message} />
        </footer>
      </article>
    </li>
  );
}

/** Centers the message in its transcript; the page itself moves only if the message is not in view then. */
function scrollTo(element: HTMLElement | null): void {
  const scroll = element?.closest(`.${styles.scroll}`);
  if (!element || !scroll) return;
  const [message, frame] = [element.getBoundingClientRect(), scroll.getBoundingClientRect()];
  scroll.scrollTop += message.top - frame.top - (frame.height - message.height) / 2;
  element.scrollIntoView({ block: 'nearest' });
}

/** What people write is shown as it is, and so is what tools answer. Whatever else writes, writes Markdown. */
function Content({ message: { content, messageFrom } }: { message: MessageRecord }) {
  const t = useMessages(messages);
  const [isAll, setAll] = useState(false);
  const { Rendered } = useMarkdown();
  const isCut = !isAll && content.length > MAX_LENGTH;
  const shown = isCut ? `${content.slice(0, MAX_LENGTH)}…` : content;
  return (
    <>
      {Rendered && !AS_WRITTEN.has(messageFrom) && !isJson(content) ? (
        <Rendered text={shown} level={4} breaks />
      ) : (
        <p className={styles.content}>{shown}</p>
      )}
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

/** Whether a message is for a machine. No Markdown begins with a brace but by accident; with a bracket, links do. */
function isJson(content: string): boolean {
  const text = content.trimStart();
  if (!text.startsWith('[') || text.length > MAX_LENGTH) return text.startsWith('{');
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
