import { useQuery } from '@tanstack/react-query';
import { Author } from '../../api/author';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { ScrollBox } from '../../ui/scroll-box';
import { Time } from '../../ui/time';
import styles from './conversations.module.css';
import { messages } from './messages';
import type { Conversation } from './search-params';
import { StatusBadge } from './status-badge';

/** What the status was when, on a line from the first to the last. */
export function StatusHistory({ conversation }: { conversation: Conversation }) {
  const t = useMessages(messages);
  const scope = useScope();
  const history = useQuery(
    trpc.conversations.statusHistory.queryOptions({ scope, conversationId: conversation.id }),
  );
  if (history.error) return <CallError error={history.error} onRetry={history.refetch} />;
  if (!history.data || history.data.items.length === 0) return null;
  const { items, totalCount } = history.data;
  const changes = [...items].reverse();
  const earlier = totalCount - items.length;
  return (
    <section aria-labelledby="status-history">
      <h3 id="status-history" className={styles.subtitle}>
        {t.history.title}
      </h3>
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
    </section>
  );
}
