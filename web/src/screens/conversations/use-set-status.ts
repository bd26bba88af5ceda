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
export const finished = (status: Status | null): Status =>
  status === 'review-requested' || status === 'reviewed' ? 'reviewed' : 'succeeded';

/**
 * Changes the status of a conversation, which can be undone.
 *
 * @returns the status, also one that is on its way to the server; and how to change it
 */
export function useSetStatus(conversation: Conversation) {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
  const refresh = useRefreshConversations();
  const { mutate, isPending, variables } = useMutation(
    trpc.conversations.setStatus.mutationOptions({
      onError: (error) => {
        const { sentences } = readFailure(error);
        showToast({ text: sentences[0] ?? t.remove.noAnswer, tone: 'bad' });
      },
      onSettled: refresh,
    }),
  );
  const { status: before } = conversation;
  const setStatus = (status: Status | null) => {
    if (status === before || isPending) return;
    const ref = refOf(conversation);
    const offerUndo = ({ version }: { version: number }) =>
      showToast({
        text: t.newStatus(conversation.topic || t.noTopic, states.statuses[status ?? 'none']),
        action: {
          label: t.remove.undo,
          run: () => mutate({ ...ref, status: before, expectedVersion: version }),
        },
      });
    mutate({ ...ref, status }, { onSuccess: offerUndo });
  };
  return { status: isPending ? variables.status : before, isPending, setStatus };
}
