import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../api/call-error';
import { type Document, trpc } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { nameOf } from './document-name';
import { messages } from './messages';
import { useRefreshDocuments } from './use-documents';

interface DeleteDialogProps {
  document: Document;
  onClose: () => void;
}

/** Names what goes, and asks before it does. */
export function DeleteDialog({ document, onClose }: DeleteDialogProps) {
  const t = useMessages(messages);
  const refresh = useRefreshDocuments();
  const remove = useMutation(
    trpc.documents.delete.mutationOptions({
      onSuccess: () => {
        void refresh();
        onClose();
      },
    }),
  );
  const { id: documentId, tenantId, tenantUnitId, chunkCount } = document;
  return (
    <Dialog title={t.remove.title} onClose={onClose}>
      <p>{t.remove.text(nameOf(document), chunkCount)}</p>
      {remove.error && <CallError error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t.remove.cancel}</Button>
        <Button
          kind="danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ scope: { tenantId, tenantUnitId }, documentId })}
        >
          {t.remove.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
