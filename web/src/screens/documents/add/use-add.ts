import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type Outputs } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { showToast } from '../../../ui/toast';
import { messages } from '../messages';
import { useRefreshDocuments } from '../use-document-pages';
import { type Draft, readLines, targetOf } from './draft';
import { storeLastDatasets } from './last-datasets';
import { addFiles, documentTypeOf } from './uploads';

const EXTENSION = /\.[a-z]\w{0,7}$/i;

/** What became of a list of addresses. */
export type Outcome = Outputs['documents']['createMany'];

/** Adds what a draft describes. An outcome is there where something of it was left out. */
export function useAdd({ tenantId, onAdded }: { tenantId: string; onAdded: () => void }) {
  const t = useMessages(messages);
  const refresh = useRefreshDocuments();
  const [outcome, setOutcome] = useState<Outcome>();
  const add = useMutation({
    mutationFn: (draft: Draft) => addDraft(draft, tenantId),
    onSuccess: (result, { datasets }) => {
      if (datasets.length > 0) storeLastDatasets(tenantId, datasets);
      void refresh();
      if (result && (result.skipped.length > 0 || result.truncated)) return setOutcome(result);
      if (result) showToast({ text: t.done.added(result.created.length) });
      onAdded();
    },
  });
  return { add, outcome };
}

async function addDraft(draft: Draft, tenantId: string): Promise<Outcome | undefined> {
  const target = targetOf(draft, tenantId);
  if (draft.kind === 'urls')
    return client.documents.createMany.mutate({ ...target, urls: readLines(draft.urls) });
  if (draft.kind === 'sitemap')
    return client.documents.createMany.mutate({ ...target, sitemap: draft.sitemap.trim() });
  if (draft.kind === 'files') addFiles(draft.files, target);
  if (draft.kind === 'text') {
    await client.documents.create.mutate({
      ...target,
      documentType: 'UnstructuredFile',
      documentName: draft.name.trim(),
      // Headings and lists of what is pasted are Markdown, unless its name says otherwise.
      ...(!EXTENSION.test(draft.name.trim()) && { documentSubType: 'md' }),
      documentContent: draft.content,
    });
  }
  if (draft.kind === 'bucket') {
    const storagePath = draft.path.trim();
    await client.documents.create.mutate({
      ...target,
      documentType: documentTypeOf(storagePath),
      storageType: draft.storageType,
      storageBucket: draft.bucket.trim(),
      storagePath,
    });
  }
  return undefined;
}
