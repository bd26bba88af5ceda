import { client, type Inputs, type Outputs } from '../../../api/trpc';
import { chunkingOf, type Draft, readLines } from './draft';

type Preview = Outputs['documents']['previewChunks'] & {
  /** Which of several sources it is of. */
  name: string;
};
type Source = Omit<Inputs['documents']['previewChunks'], 'scope' | 'chunking' | 'limit'>;

/** Whether there is something to preview. */
export const canPreview = ({ kind, files, content, urls, bucket, path, unit }: Draft): boolean =>
  unit.trim() !== '' &&
  {
    files: files.length > 0,
    text: content.trim() !== '',
    urls: readLines(urls).length > 0,
    sitemap: false,
    bucket: bucket.trim() !== '' && path.trim() !== '',
  }[kind];

/** Previews the first source of a draft. A file is uploaded for that, and thrown away again. */
export async function previewDraft(draft: Draft, tenantId: string): Promise<Preview> {
  const [file] = draft.files;
  if (draft.kind !== 'files' || !file) return preview(draft, tenantId, sourceOf(draft));
  const { fileId, sha256 } = await client.files.upload.mutate(file);
  try {
    const { name: fileName, type } = file;
    const reference = { fileId, sha256, fileName, ...(type && { mediaType: type }) };
    return await preview(draft, tenantId, [fileName, { documentName: fileName, file: reference }]);
  } finally {
    client.files.discard.mutate({ fileId }).catch(() => {});
  }
}

async function preview(draft: Draft, tenantId: string, [name, source]: [string, Source]): Promise<Preview> {
  const scope = { tenantId, tenantUnitId: draft.unit.trim() };
  const made = await client.documents.previewChunks.mutate({
    scope,
    ...source,
    chunking: chunkingOf(draft),
  });
  return { ...made, name };
}

function sourceOf({ kind, name, content, urls, storageType, bucket, path }: Draft): [string, Source] {
  if (kind === 'urls') {
    const [url = ''] = readLines(urls);
    return [url, { url }];
  }
  if (kind === 'bucket') {
    const storagePath = path.trim();
    return [storagePath, { storageType, storageBucket: bucket.trim(), storagePath }];
  }
  return [name.trim(), { documentName: name.trim(), documentContent: content }];
}
