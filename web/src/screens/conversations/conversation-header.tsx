import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { CallError } from '../../api/call-error';
import { usePermission } from '../../api/permission-gate';
import { trpc } from '../../api/trpc';
import { conversationMessages } from '../../common/conversations/messages';
import { STATUS_TONES } from '../../common/conversations/status-tones';
import { useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { useShortcuts } from '../../ui/use-shortcuts';
import styles from './conversations.module.css';
import { ConversationLabels } from './labels/conversation-labels';
import { LabelBadges } from './labels/label-badges';
import { messages } from './messages';
import { deleteWithUndo } from './pending-deletions';
import { ReviewBar } from './review-bar';
import { type Conversation, refOf, type Status, statuses } from './search-params';
import { StatusBadge } from './status-badge';
import { useRefreshConversations } from './use-conversations';
import { finished, useSetStatus } from './use-set-status';

const route = getRouteApi('/conversations');

/** Topic and status, and what can be done with the conversation. */
export function ConversationHeader({ conversation }: { conversation: Conversation }) {
  const t = useMessages(messages);
  const navigate = route.useNavigate();
  const mayWrite = usePermission('conversations:write') ?? false;
  const [isRenaming, setRenaming] = useState(false);
  const [isLabelling, setLabelling] = useState(false);
  /** The conversation that somebody wants to review unasked. */
  const [reviewed, setReviewed] = useState<string>();
  const isAsked = conversation.status === 'review-requested';
  const status = useSetStatus(conversation);
  const finish = () => status.setStatus(finished(conversation.status));
  useShortcuts(mayWrite ? { e: finish, l: () => setLabelling(true) } : {});
  const topic = conversation.topic || t.noTopic;
  const remove = () => {
    deleteWithUndo([refOf(conversation)], {
      pending: t.remove.pending(topic),
      undo: t.remove.undo,
      failed: (why = t.remove.noAnswer) => t.remove.failed(topic, why),
    });
    navigate({ search: (now) => ({ ...now, conversation: undefined }) });
  };
  return (
    <>
      <header className={styles.head}>
        {isRenaming ? (
          <RenameForm conversation={conversation} onClose={() => setRenaming(false)} />
        ) : (
          <div className={styles.topicLine}>
            <h2>{topic}</h2>
            {mayWrite ? <StatusSelect {...status} /> : <StatusBadge status={conversation.status} />}
          </div>
        )}
        {mayWrite && (
          <div className={styles.tools}>
            <Button size="small" aria-haspopup="dialog" onClick={() => setLabelling(true)}>
              {t.labels.title}
            </Button>
            {!isAsked && (
              <Button
                size="small"
                aria-expanded={reviewed === conversation.id}
                onClick={() => setReviewed(reviewed === conversation.id ? undefined : conversation.id)}
              >
                {t.review.title}
              </Button>
            )}
            <Button size="small" disabled={isRenaming} onClick={() => setRenaming(true)}>
              {t.rename.button}
            </Button>
            <Button size="small" onClick={remove}>
              {t.remove.button}
            </Button>
          </div>
        )}
      </header>
      {conversation.labels.length > 0 && (
        <p className={styles.line}>
          <LabelBadges ids={conversation.labels} />
        </p>
      )}
      {isLabelling && <ConversationLabels conversation={conversation} onClose={() => setLabelling(false)} />}
      {mayWrite && (isAsked || reviewed === conversation.id) && (
        // One for each conversation: what is written is for none other.
        <ReviewBar
          key={conversation.id}
          conversation={conversation}
          onReviewed={isAsked ? undefined : () => setReviewed(undefined)}
        />
      )}
    </>
  );
}

function RenameForm({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const t = useMessages(messages);
  const refresh = useRefreshConversations();
  const [topic, setTopic] = useState(conversation.topic ?? '');
  const rename = useMutation(
    trpc.conversations.update.mutationOptions({
      onSuccess: async () => {
        await refresh();
        onClose();
      },
    }),
  );
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    rename.mutate({ ...refOf(conversation), topic: topic.trim() });
  };
  return (
    <form
      className={styles.rename}
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <TextField
        label={t.rename.topic}
        value={topic}
        maxLength={10_000}
        autoFocus
        onChange={(event) => setTopic(event.target.value)}
      />
      <Button type="submit" kind="primary" disabled={rename.isPending}>
        {t.rename.save}
      </Button>
      <Button onClick={onClose}>{t.rename.cancel}</Button>
      {rename.error && <CallError error={rename.error} />}
    </form>
  );
}

/** The status as a badge; choosing another one sets it. */
function StatusSelect({ status, isPending, setStatus }: ReturnType<typeof useSetStatus>) {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
  return (
    <span className={styles.statusSelect}>
      <Badge tone={STATUS_TONES[status ?? 'none']}>
        {states.statuses[status ?? 'none']} <ChevronDown />
      </Badge>
      <select
        aria-label={t.status}
        value={status ?? ''}
        disabled={isPending}
        onChange={({ target: { value } }) => setStatus(value === '' ? null : (value as Status))}
      >
        <option value="">{states.statuses.none}</option>
        {statuses.map((value) => (
          <option key={value} value={value}>
            {states.statuses[value]}
          </option>
        ))}
      </select>
    </span>
  );
}
