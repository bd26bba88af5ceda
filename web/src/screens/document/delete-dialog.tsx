import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CallDialog } from '../../api/call-dialog';
import { trpc } from '../../api/trpc';
import { nameOf } from '../../common/documents/document-name';
import { useListAddress } from '../../common/documents/list-address';
import { useMessages } from '../../language/language';
import { showToast } from '../../ui/toast';
import { messages } from './messages';
import { type OneDocument, refOf, useRefreshDocument } from './use-document';

interface DeleteDialogProps {
  document: OneDocument;
  onClose: () => void;
}

/** Names what goes, asks before it does, and leads back to the list. */
export function DeleteDialog({ document, onClose }: DeleteDialogProps) {
  const list = useListAddress();
  const t = useMessages(messages);
  const navigate = useNavigate();
  const refresh = useRefreshDocument();
  const remove = useMutation(
    trpc.documents.delete.mutationOptions({
      onSuccess: async () => {
        showToast({ text: t.done.deleted(nameOf(document)) });
        await navigate({ to: '/documents', search: list, ignoreBlocker: true });
        void refresh();
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
      onSubmit={() => remove.mutate(refOf(document))}
      onClose={onClose}
    >
      <p>{t.remove.text(nameOf(document), document.chunkCount)}</p>
    </CallDialog>
  );
}
