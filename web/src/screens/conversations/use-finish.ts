import { useMutation } from '@tanstack/react-query';
import { readFailure } from '../../api/errors';
import { trpc } from '../../api/trpc';
import { conversationMessages } from '../../common/conversations/messages';
import { useMessages } from '../../language/language';
import { showToast } from '../../ui/toast';
import { messages } from './messages';
import { type Conversation, refOf, type Status } from './search-params';
import { useRefreshConversations } from './use-conversations';

/** What becomes of a conversation that somebody is done with. */
const finished = (status: Status | null): Status =>
  status === 'review-requested' || status === 'reviewed' ? 'reviewed' : 'succeeded';

/** Gives a conversation its last status, which can be undone. */
export function useFinish(conversation: Conversation): () => void {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
  const refresh = useRefreshConversations();
  const setStatus = useMutation(
    trpc.conversations.setStatus.mutationOptions({
      onError: (error) => {
        const { sentences } = readFailure(error);
        showToast({ text: sentences[0] ?? t.remove.noAnswer, tone: 'bad' });
      },
      onSettled: refresh,
    }),
  );
  const { status: before } = conversation;
  const status = finished(before);
  return () => {
    if (status === before || setStatus.isPending) return;
    const ref = refOf(conversation);
    const offerUndo = ({ version }: { version: number }) =>
      showToast({
        text: t.finish(conversation.topic || t.noTopic, states.statuses[status]),
        action: {
          label: t.remove.undo,
          run: () => setStatus.mutate({ ...ref, status: before, expectedVersion: version }),
        },
      });
    setStatus.mutate({ ...ref, status }, { onSuccess: offerUndo });
  };
}
