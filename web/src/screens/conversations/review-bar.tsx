import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { client, type Inputs, trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { showToast } from '../../ui/toast';
import styles from './conversations.module.css';
import { JudgeButton } from './judge/judge-button';
import { messages } from './messages';
import type { Conversation } from './search-params';
import { useRefreshConversations } from './use-conversations';

const route = getRouteApi('/conversations');

/** A second press that was meant for the conversation before does not judge this one. */
const SETTLE_MS = 600;

type Verdict = Inputs['conversations']['review']['verdict'];
const verdicts: readonly Verdict[] = ['good', 'mixed', 'bad'];

interface ReviewBarProps {
  conversation: Conversation;
  /** Called after its verdict, instead of opening the next one that waits. */
  onReviewed: (() => void) | undefined;
}

/** The verdict on a conversation, and the way to those that wait for one. */
export function ReviewBar({ conversation, onReviewed }: ReviewBarProps) {
  const t = useMessages(messages);
  const scope = useScope();
  const refresh = useRefreshConversations();
  const navigate = route.useNavigate();
  const { id, tenantId, tenantUnitId, version } = conversation;
  const [note, setNote] = useState('');
  const [shownSince] = useState(() => performance.now());
  const next = useQuery(trpc.conversations.nextForReview.queryOptions({ scope, after: id }));
  const previous = useQuery(trpc.conversations.nextForReview.queryOptions({ scope, before: id }));
  const open = (other: { id: string }) =>
    navigate({ search: (now) => ({ ...now, conversation: other.id }), resetScroll: false });
  const review = useMutation(
    trpc.conversations.review.mutationOptions({
      onSuccess: async (_, { verdict }) => {
        showToast({ text: t.review.done(conversation.topic || t.noTopic, t.review.verdicts[verdict]) });
        if (onReviewed) return onReviewed();
        // Behind the last one are those that were passed over.
        const { conversation: following } = await client.conversations.nextForReview.query({
          scope,
          after: id,
        });
        const other = following ?? (await client.conversations.nextForReview.query({ scope })).conversation;
        if (other) await open(other);
      },
      onSettled: refresh,
    }),
  );
  const save = (verdict: Verdict) => {
    if (performance.now() - shownSince < SETTLE_MS) return;
    review.mutate({
      scope: { tenantId, tenantUnitId },
      conversationId: id,
      verdict,
      note: note.trim() || null,
      expectedVersion: version,
    });
  };
  const ways = [
    { label: t.review.previous, to: previous.data?.conversation },
    { label: t.review.next, to: next.data?.conversation },
  ];
  const waiting = next.data?.waiting;
  return (
    <section className={styles.review} aria-label={t.review.title}>
      <TextField
        label={t.feedback.note}
        value={note}
        maxLength={10_000}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className={styles.tools}>
        {verdicts.map((verdict) => (
          <Button key={verdict} disabled={review.isPending} onClick={() => save(verdict)}>
            {t.review.verdicts[verdict]}
          </Button>
        ))}
        {ways.map(({ label, to }) => (
          <Button key={label} kind="quiet" disabled={!to} onClick={() => to && void open(to)}>
            {label}
          </Button>
        ))}
        <JudgeButton
          answer={{ scope: { tenantId, tenantUnitId }, conversationId: id, messageId: undefined }}
        />
        {waiting && (
          <span className={styles.soft}>{t.review.waiting(waiting.count, waiting.isLowerBound)}</span>
        )}
      </div>
      {review.error && <CallError error={review.error} />}
    </section>
  );
}
