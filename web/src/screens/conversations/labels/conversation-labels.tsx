import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { messages } from '../messages';
import { type Conversation, refOf } from '../search-params';
import { useRefreshConversations } from '../use-conversations';
import { LabelChoice } from './label-choice';

/** Puts labels on a conversation, also new ones, and takes them off, one at a time. */
export function ConversationLabels({
  conversation,
  onClose,
}: {
  conversation: Conversation;
  onClose: () => void;
}) {
  const t = useMessages(messages);
  const refresh = useRefreshConversations();
  const [chosen, setChosen] = useState<readonly string[]>(conversation.labels);
  const change = useMutation(
    trpc.conversations.setLabels.mutationOptions({
      // One after another, in the order of the clicks.
      scope: { id: `labels of ${conversation.id}` },
      onError: () => setChosen(conversation.labels),
      onSettled: refresh,
    }),
  );
  const toggle = (labelId: string, isChosen: boolean) => {
    setChosen((now) => [...now.filter((id) => id !== labelId), ...(isChosen ? [labelId] : [])]);
    change.mutate({ ...refOf(conversation), [isChosen ? 'add' : 'remove']: [labelId] });
  };
  return (
    <Dialog title={t.labels.of(conversation.topic || t.noTopic)} onClose={onClose}>
      <LabelChoice chosen={chosen} onToggle={toggle} mayMake />
      {change.error && <CallError error={change.error} />}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {t.labels.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
