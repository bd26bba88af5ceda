import { useMutation } from '@tanstack/react-query';
import { CallDialog } from '../../../api/call-dialog';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { showToast } from '../../../ui/toast';
import { messages } from '../messages';
import { type OneDocument, refOf, useRefreshDocument } from '../use-document';
import type { Chunk } from './use-chunks';

interface DeleteChunksDialogProps {
  document: OneDocument;
  chunks: Chunk[];
  onClose: () => void;
}

/** Asks before chunks go. */
export function DeleteChunksDialog({ document, chunks, onClose }: DeleteChunksDialogProps) {
  const t = useMessages(messages);
  const refresh = useRefreshDocument();
  const remove = useMutation(
    trpc.chunks.deleteMany.mutationOptions({
      onSuccess: () => {
        showToast({ text: t.done.chunksDeleted(chunks.length) });
        void refresh();
        onClose();
      },
    }),
  );
  const chunkIds = chunks.map(({ id }) => id);
  return (
    <CallDialog
      isDangerous
      title={t.removeChunks.title(chunks.length)}
      cancel={t.remove.cancel}
      submit={t.remove.confirm}
      call={remove}
      onSubmit={() => remove.mutate({ ...refOf(document), chunkIds })}
      onClose={onClose}
    >
      <p>{t.removeChunks.text}</p>
    </CallDialog>
  );
}
