import { useMutation } from '@tanstack/react-query';
import { CallError } from '../../../api/call-error';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { showToast } from '../../../ui/toast';
import { messages } from '../messages';
import { type OneDocument, refOf, useRefreshDocument } from '../use-document';
import type { Chunk } from './use-chunks';

interface ChunkActionsProps {
  document: OneDocument;
  selection: Chunk[];
  onDelete: () => void;
}

/** What can be done with the chosen chunks, all of them at once. */
export function ChunkActions({ document, selection, onDelete }: ChunkActionsProps) {
  const t = useMessages(messages);
  const refresh = useRefreshDocument();
  const setStatus = useMutation(
    trpc.chunks.setStatusMany.mutationOptions({
      onSuccess: (_, { chunkIds, status }) => showToast({ text: t.done[status](chunkIds.length) }),
      onSettled: refresh,
    }),
  );
  const change = (status: 'active' | 'inactive') =>
    setStatus.mutate({ ...refOf(document), chunkIds: selection.map(({ id }) => id), status });
  return (
    <>
      <span role="status">{t.bulk.chosen(selection.length)}</span>
      <Button size="small" disabled={setStatus.isPending} onClick={() => change('active')}>
        {t.chunk.activate}
      </Button>
      <Button size="small" disabled={setStatus.isPending} onClick={() => change('inactive')}>
        {t.chunk.deactivate}
      </Button>
      <Button size="small" onClick={onDelete}>
        {t.delete}
      </Button>
      {setStatus.error && <CallError error={setStatus.error} />}
    </>
  );
}
