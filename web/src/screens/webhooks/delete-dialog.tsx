import { useMutation } from '@tanstack/react-query';
import { CallDialog } from '../../api/call-dialog';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { showToast } from '../../ui/toast';
import type { Webhook } from './events';
import { messages } from './messages';

interface DeleteDialogProps {
  webhook: Webhook;
  onClose: () => void;
  onDeleted: () => void;
}

/** Names what goes, and asks before it does. */
export function DeleteDialog({ webhook, onClose, onDeleted }: DeleteDialogProps) {
  const t = useMessages(messages);
  const remove = useMutation(
    trpc.webhooks.delete.mutationOptions({
      onSuccess: () => {
        showToast({ text: t.remove.done });
        return onDeleted();
      },
    }),
  );
  return (
    <CallDialog
      isDangerous
      title={t.remove.title}
      cancel={t.remove.cancel}
      submit={t.remove.confirm}
      call={remove}
      onSubmit={() => remove.mutate({ scope: { tenantId: webhook.tenantId }, webhookId: webhook.id })}
      onClose={onClose}
    >
      <p>{t.remove.text(webhook.url)}</p>
    </CallDialog>
  );
}
