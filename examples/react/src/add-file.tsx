import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from './call-error';
import { datasetIds, lectern, scope, trpc } from './lectern';

/** Uploads a file, says how much of it is sent, and follows its processing. */
export function AddFile() {
  const queryClient = useQueryClient();
  const [sent, setSent] = useState(0);
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.documents.list.queryKey() });
  const add = useMutation({
    mutationFn: async (file: File) => {
      const document = await lectern.addFile(
        file,
        { scope, datasetIds, documentType: 'UnstructuredFile', documentName: file.name },
        { onProgress: ({ sentBytes, totalBytes = sentBytes }) => setSent(sentBytes / totalBytes) },
      );
      for await (const _ of lectern.progress({ scope, documentIds: [document.id] })) await refresh();
    },
    onSettled: refresh,
  });
  return (
    <section>
      <label>
        Add a file
        <input
          type="file"
          disabled={add.isPending}
          onChange={({ target }) => target.files?.[0] && add.mutate(target.files[0])}
        />
      </label>
      {add.isPending && <progress value={sent} aria-label="Sent" />}
      <CallError error={add.error} />
    </section>
  );
}
