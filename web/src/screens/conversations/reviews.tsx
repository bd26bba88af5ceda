import { useQuery } from '@tanstack/react-query';
import { Author } from '../../api/author';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Time } from '../../ui/time';
import styles from './conversations.module.css';
import { messages } from './messages';
import type { Conversation } from './search-params';

/** What reviewers think of a conversation, the latest first. */
export function Reviews({ conversation }: { conversation: Conversation }) {
  const t = useMessages(messages);
  const scope = useScope();
  const { id: conversationId, status } = conversation;
  const reviews = useQuery(
    trpc.conversations.reviews.queryOptions(
      { scope, conversationId },
      { enabled: status === 'reviewed' || status === 'review-requested' },
    ),
  );
  if (reviews.error) return <CallError error={reviews.error} onRetry={reviews.refetch} />;
  if (!reviews.data || reviews.data.items.length === 0) return null;
  return (
    <section aria-labelledby="reviews">
      <h3 id="reviews" className={styles.subtitle}>
        {t.review.all}
      </h3>
      <ul>
        {reviews.data.items.map(({ id, verdict, note, reviewedTime, reviewedBy }) => (
          <li key={id} className={styles.line}>
            <strong>{t.review.verdicts[verdict]}</strong>
            {note && <span>{note}</span>}
            {reviewedBy && (
              <span>
                {t.history.by} <Author userId={reviewedBy} />
              </span>
            )}
            <Time iso={reviewedTime} />
          </li>
        ))}
      </ul>
    </section>
  );
}
