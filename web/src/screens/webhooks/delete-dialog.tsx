import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
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
  const remove = useMutation(trpc.webhooks.delete.mutationOptions({ onSuccess: onDeleted }));
  return (
    <Dialog title={t.remove.title} onClose={onClose}>
      <p>{t.remove.text(webhook.url)}</p>
      {remove.error && <CallError error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t.remove.cancel}</Button>
        <Button
          kind="danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ scope: { tenantId: webhook.tenantId }, webhookId: webhook.id })}
        >
          {t.remove.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
