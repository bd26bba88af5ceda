import { useMutation } from '@tanstack/react-query';
import { CallDialog } from '../../api/call-dialog';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { showToast } from '../../ui/toast';
import { messages } from './messages';
import { type Member, useRefreshMembers } from './use-members';

interface RemoveDialogProps {
  member: Member;
  onClose: () => void;
  onRemoved: () => void;
}

/** Names who is forgotten, and asks before. */
export function RemoveDialog({ member, onClose, onRemoved }: RemoveDialogProps) {
  const t = useMessages(messages);
  const { tenantId } = useScope();
  const refresh = useRefreshMembers();
  const shown = member.name ?? member.userId;
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: () => {
        showToast({ text: t.remove.done(shown) });
        onRemoved();
        void refresh();
        onClose();
      },
    }),
  );
  return (
    <CallDialog
      isDangerous
      title={t.remove.title(shown)}
      cancel={t.cancel}
      submit={t.remove.confirm}
      call={remove}
      onSubmit={() => remove.mutate({ scope: { tenantId }, memberId: member.id })}
      onClose={onClose}
    >
      <p>{t.remove.text}</p>
    </CallDialog>
  );
}
