import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { Author } from '../../api/author';
import { CallError } from '../../api/call-error';
import { usePermission } from '../../api/permission-gate';
import { type Inputs, type Outputs, trpc } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { SubmitButton, useReasons } from '../../ui/submit-button';
import { Time } from '../../ui/time';
import styles from './conversations.module.css';
import { JudgeButton } from './judge/judge-button';
import { messages } from './messages';

type MessageRecord = Outputs['messages']['list']['items'][number];
type Verdict = NonNullable<Inputs['messages']['setFeedback']['feedback']>;

const verdicts: readonly Verdict[] = ['up', 'down'];

/** What people think of a message; who may write can judge it, and add a note. */
export function MessageFeedback({ message }: { message: MessageRecord }) {
  const t = useMessages(messages);
  const queryClient = useQueryClient();
  const mayWrite = [usePermission('conversations:write'), usePermission('messages:write')].some(Boolean);
  const [isNoting, setNoting] = useState(false);
  const change = useMutation(
    trpc.messages.setFeedback.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.messages.list.queryKey() }),
    }),
  );
  const { tenantId, tenantUnitId, conversationId, id: messageId } = message;
  const given = change.isPending ? change.variables.feedback : message.feedback;
  const set = (feedback: Verdict | null, note: string | null = null) => {
    setNoting(feedback !== null && note === null);
    change.mutate({ scope: { tenantId, tenantUnitId }, conversationId, messageId, feedback, note });
  };
  const verdict = verdicts.find((one) => one === given);
  const isJudged = mayWrite && message.messageFrom !== 'user';
  return (
    <>
      <GivenFeedback message={message} isShown={isJudged} />
      {verdict === 'down' && message.messageFrom !== 'user' && (
        <JudgeButton size="small" answer={{ scope: { tenantId, tenantUnitId }, conversationId, messageId }} />
      )}
      {isJudged && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent together
        <span role="group" aria-label={t.transcript.feedback} className={styles.verdicts}>
          {verdicts.map((one) => (
            <Button
              key={one}
              size="icon"
              kind="quiet"
              aria-label={t.feedback[one]}
              title={t.feedback[one]}
              aria-pressed={one === verdict}
              disabled={change.isPending}
              onClick={() => set(one === verdict ? null : one)}
            >
              {one === 'up' ? <ThumbsUp /> : <ThumbsDown />}
            </Button>
          ))}
        </span>
      )}
      {((isNoting && verdict) || change.error) && (
        <div className={styles.below}>
          {isNoting && verdict && <NoteForm onSave={(note) => set(verdict, note)} />}
          {change.error && <CallError error={change.error} />}
        </div>
      )}
    </>
  );
}

/** @param isShown whether buttons show the verdict already */
function GivenFeedback({ message, isShown }: { message: MessageRecord; isShown: boolean }) {
  const t = useMessages(messages);
  const { named } = useFormat();
  const { feedback, feedbackNote, feedbackBy, feedbackTime } = message;
  if (!feedback) return null;
  const verdict = verdicts.find((one) => one === feedback);
  return (
    <>
      {!(isShown && verdict) && (
        <span>{named(t.transcript.feedback, verdict ? t.feedback[verdict] : feedback)}</span>
      )}
      {feedbackNote && <span>{t.feedback.quoted(feedbackNote)}</span>}
      {feedbackBy && (
        <span>
          {t.history.by} <Author userId={feedbackBy} />
        </span>
      )}
      {feedbackTime && <Time iso={feedbackTime} />}
    </>
  );
}

function NoteForm({ onSave }: { onSave: (note: string) => void }) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const [note, setNote] = useState('');
  return (
    <Form onSubmit={() => onSave(note.trim())}>
      <TextField
        label={t.feedback.note}
        value={note}
        maxLength={10_000}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className={styles.tools}>
        <SubmitButton size="small" reason={note.trim() === '' ? reasons.missing(t.feedback.note) : undefined}>
          {t.feedback.save}
        </SubmitButton>
      </div>
    </Form>
  );
}
