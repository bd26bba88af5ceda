import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../../api/call-error';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
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
        void refresh();
        onClose();
      },
    }),
  );
  const chunkIds = chunks.map(({ id }) => id);
  return (
    <Dialog title={t.removeChunks.title(chunks.length)} onClose={onClose}>
      <p>{t.removeChunks.text}</p>
      {remove.error && <CallError error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t.remove.cancel}</Button>
        <Button
          kind="danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ ...refOf(document), chunkIds })}
        >
          {t.remove.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
