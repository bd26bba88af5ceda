import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Author } from '../../api/author';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { conversationMessages } from '../../common/conversations/messages';
import { useMessages } from '../../language/language';
import { ScrollBox } from '../../ui/scroll-box';
import { Time } from '../../ui/time';
import styles from './conversations.module.css';
import { messages } from './messages';
import type { Conversation } from './search-params';
import { StatusBadge } from './status-badge';

/** Statuses on the line that unfolds. */
const IN_LINE = 4;

/** What the status was, in a line; unfolded, also when, and who changed it. */
export function StatusHistory({ conversation }: { conversation: Conversation }) {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
  const scope = useScope();
  const [isOpen, setOpen] = useState(false);
  const history = useQuery(
    trpc.conversations.statusHistory.queryOptions({ scope, conversationId: conversation.id }),
  );
  if (history.error) return <CallError error={history.error} onRetry={history.refetch} />;
  if (!history.data || history.data.items.length === 0) return null;
  const { items, totalCount } = history.data;
  const changes = [...items].reverse();
  const earlier = totalCount - items.length;
  const latest = changes.slice(-IN_LINE);
  const last = latest.at(-1);
  return (
    <section aria-label={t.history.title}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.history} title={t.history.title}>
          {totalCount > latest.length && '… → '}
          {latest.map(({ toStatus, changedTime }, place) => (
            <Fragment key={changedTime}>
              {place > 0 && ' → '}
              <span>{states.statuses[toStatus ?? 'none']}</span>
            </Fragment>
          ))}
          {last && (
            <>
              {' · '}
              <Time iso={last.changedTime} />
            </>
          )}
        </summary>
        {isOpen && (
          <ScrollBox label={t.history.title} className={styles.timelineScroll}>
            <ol className={styles.timeline}>
              {earlier > 0 && <li className={styles.soft}>{t.history.earlier(earlier)}</li>}
              {changes.map(({ fromStatus, toStatus, changedTime, changedBy }) => (
                <li key={`${changedTime} ${fromStatus} ${toStatus}`}>
                  <StatusBadge status={toStatus} />
                  <Time iso={changedTime} />
                  {changedBy && (
                    <span>
                      {t.history.by} <Author userId={changedBy} />
                    </span>
                  )}
                </li>
              ))}
            </ol>
          </ScrollBox>
        )}
      </details>
    </section>
  );
}
