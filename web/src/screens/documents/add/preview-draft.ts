import { alone, client, type Inputs, type Outputs } from '../../../api/trpc';
import type { Reader } from '../../../common/documents/readers';
import { chunkingOf, type Draft, readLines } from './draft';

export type Preview = Outputs['documents']['previewChunks'];
type Source = Omit<Inputs['documents']['previewChunks'], 'scope' | 'chunking' | 'extraction' | 'limit'>;

/** What one reader makes of a source, or why it makes nothing. */
export interface Reading {
  reader: Reader;
  preview?: Preview;
  error?: unknown;
}

export interface Readings {
  /** Which of several sources it is. */
  name: string;
  /** In the order of the readers, as far as they have read it. */
  readings: readonly Reading[];
}

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

/** What can be previewed, where there are several: files or addresses. */
export const sourcesOf = ({ kind, files, urls }: Draft): string[] =>
  kind === 'files' ? files.map(({ name }) => name) : kind === 'urls' ? readLines(urls) : [];

/** Readers, and what is done with each reading. */
interface Reads {
  readers: readonly Reader[];
  onRead: (readings: Readings) => void;
}

/**
 * Previews a source of a draft by each reader. A file is uploaded for that once, and thrown away again.
 *
 * @param place of the source among several, from 0
 */
export async function previewDraft(
  draft: Draft,
  tenantId: string,
  { place, ...reads }: Reads & { place: number },
): Promise<void> {
  const file = draft.files[place];
  if (draft.kind !== 'files' || !file) return read(draft, tenantId, { ...sourceOf(draft, place), ...reads });
  const { fileId, sha256 } = await client.files.upload.mutate(file);
  try {
    const { name: fileName, type } = file;
    const reference = { fileId, sha256, fileName, ...(type && { mediaType: type }) };
    const source = { documentName: fileName, file: reference };
    return await read(draft, tenantId, { name: fileName, source, ...reads });
  } finally {
    client.files.discard.mutate({ fileId }).catch(() => {});
  }
}

async function read(
  draft: Draft,
  tenantId: string,
  { name, source, readers, onRead }: { name: string; source: Source } & Reads,
): Promise<void> {
  const scope = { tenantId, tenantUnitId: draft.unit.trim() };
  let readings: readonly Reading[] = [];
  // One after another: the server makes one preview of a tenant at a time.
  for (const reader of readers) {
    const given = { scope, ...source, chunking: chunkingOf(draft), extraction: reader };
    const reading = await client.documents.previewChunks.mutate(given, { context: alone }).then(
      (preview) => ({ reader, preview }),
      (error: unknown) => ({ reader, error }),
    );
    readings = [...readings, reading];
    onRead({ name, readings });
  }
}

function sourceOf(
  { kind, name, content, urls, storageType, bucket, path }: Draft,
  place: number,
): { name: string; source: Source } {
  if (kind === 'urls') {
    const url = readLines(urls)[place] ?? '';
    return { name: url, source: { url } };
  }
  if (kind === 'bucket') {
    const storagePath = path.trim();
    return { name: storagePath, source: { storageType, storageBucket: bucket.trim(), storagePath } };
  }
  return { name: name.trim(), source: { documentName: name.trim(), documentContent: content } };
}
