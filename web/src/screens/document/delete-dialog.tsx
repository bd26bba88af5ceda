import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import { trpc } from '../../api/trpc';
import { nameOf } from '../../common/documents/document-name';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { messages } from './messages';
import { type OneDocument, refOf, useRefreshDocument } from './use-document';

interface DeleteDialogProps {
  document: OneDocument;
  onClose: () => void;
}

/** Names what goes, asks before it does, and leads back to the list. */
export function DeleteDialog({ document, onClose }: DeleteDialogProps) {
  const t = useMessages(messages);
  const navigate = useNavigate();
  const refresh = useRefreshDocument();
  const remove = useMutation(
    trpc.documents.delete.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/documents' });
        void refresh();
      },
    }),
  );
  return (
    <Dialog title={t.remove.title} onClose={onClose}>
      <p>{t.remove.text(nameOf(document), document.chunkCount)}</p>
      {remove.error && <CallError error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t.remove.cancel}</Button>
        <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate(refOf(document))}>
          {t.remove.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
