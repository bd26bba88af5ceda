import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type Document } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { showToast } from '../../ui/toast';
import { messages } from './messages';
import { useRefreshDocuments } from './use-document-pages';

/** What is done with documents after somebody has confirmed it. */
export type ConfirmedAction = 'reprocess' | 'cancel' | 'delete';

interface Batches {
  documents: readonly Document[];
  /** Most documents of one call. */
  size: number;
}

/** Changes of many documents, in calls of as many as the server takes; says what was done. */
export function useBatches() {
  const t = useMessages(messages);
  const refresh = useRefreshDocuments();
  /** Documents that calls were made for. */
  const [done, setDone] = useState(0);

  const setEnabled = useMutation({
    mutationFn: async ({ enabled, ...batches }: Batches & { enabled: boolean }) => {
      const changed = new Set<string>();
      setDone(0);
      for (const selection of selectionsOf(batches)) {
        const result = await client.documents.setEnabledMany.mutate({ ...selection, enabled });
        for (const id of result.changed) changed.add(id);
        setDone((before) => before + selection.documentIds.length);
      }
      return changed;
    },
    onSuccess: (changed, { enabled, ...batches }) => {
      const documents = batches.documents.filter(({ id }) => changed.has(id));
      const undo = () => setEnabled.mutate({ ...batches, documents, enabled: !enabled });
      showToast({
        text: enabled ? t.done.enabled(changed.size) : t.done.disabled(changed.size),
        isOfMany: true,
        ...(changed.size > 0 && { action: { label: t.undo, run: undo } }),
      });
    },
    onSettled: refresh,
  });

  const confirmed = useMutation({
    mutationFn: async ({ action, ...batches }: Batches & { action: ConfirmedAction }) => {
      let count = 0;
      setDone(0);
      for (const selection of selectionsOf(batches)) {
        count += await calls[action](selection);
        setDone((before) => before + selection.documentIds.length);
      }
      return count;
    },
    onSuccess: (count, { action }) => showToast({ text: t.done[action](count) }),
    onSettled: refresh,
  });
  return { setEnabled, confirmed, done };
}

type Selection = { scope: { tenantId: string }; documentIds: string[] };

/** Each says how many documents it was done with. */
const calls: Record<ConfirmedAction, (selection: Selection) => Promise<number>> = {
  reprocess: async (selection) => {
    await client.documents.reprocessMany.mutate(selection);
    return selection.documentIds.length;
  },
  cancel: async (selection) => (await client.documents.cancelMany.mutate(selection)).cancelled,
  delete: async (selection) => (await client.documents.deleteMany.mutate(selection)).deleted,
};

function* selectionsOf({ documents, size }: Batches): Generator<Selection> {
  for (let start = 0; start < documents.length; start += size) {
    const batch = documents.slice(start, start + size);
    const { tenantId = '' } = batch[0] ?? {};
    yield { scope: { tenantId }, documentIds: batch.map(({ id }) => id) };
  }
}
