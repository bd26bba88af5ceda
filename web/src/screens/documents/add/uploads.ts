import { useSyncExternalStore } from 'react';
import { client, type Document, type Inputs, queryClient, trpc } from '../../../api/trpc';
import { onUploadProgress } from '../../../api/upload-progress';

/** Where the documents of files go, and who reads them, and how they are split. */
export type UploadTarget = Pick<
  Inputs['documents']['create'],
  'scope' | 'datasetIds' | 'chunking' | 'extraction'
>;

/** A file on its way to becoming a document. It goes on while other screens are open. */
export interface Upload {
  id: number;
  file: File;
  target: UploadTarget;
  state: 'waiting' | 'uploading' | 'failed';
  /** Of the file, from 0 to 1. */
  sent: number;
  /** Why it failed. */
  error?: unknown;
}

/** Browsers open six connections, of which the page needs some. */
const CONCURRENCY = 3;
const TABLE = /\.(?:csv|tsv|xlsx?|ods)$/i;

let uploads: readonly Upload[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const running = new Map<number, AbortController>();

export const useUploads = () => useSyncExternalStore(subscribe, () => uploads);

/** Makes documents of files, a few at a time. */
export function addFiles(files: File[], target: UploadTarget): void {
  const added = files.map((file): Upload => {
    lastId += 1;
    return { id: lastId, file, target, state: 'waiting', sent: 0 };
  });
  update([...uploads, ...added]);
  startNext();
}

export function retryUpload(id: number): void {
  change(id, { state: 'waiting', sent: 0, error: undefined });
  startNext();
}

/** Ends an upload, or forgets one that failed. */
export function cancelUpload(id: number): void {
  running.get(id)?.abort();
  update(uploads.filter((upload) => upload.id !== id));
}

/** What a file is most likely: rows of a table, or text. */
export const documentTypeOf = (name: string): Exclude<Document['documentType'], 'unknown'> =>
  TABLE.test(name) ? 'StructuredFile' : 'UnstructuredFile';

function startNext(): void {
  for (const upload of uploads) {
    if (running.size >= CONCURRENCY) return;
    if (upload.state === 'waiting') void start(upload);
  }
}

async function start({ id, file, target }: Upload): Promise<void> {
  const ending = new AbortController();
  running.set(id, ending);
  change(id, { state: 'uploading' });
  onUploadProgress(file, (sent) => change(id, { sent }));
  try {
    await createDocument(file, target, ending.signal);
    update(uploads.filter((upload) => upload.id !== id));
  } catch (error) {
    change(id, { state: 'failed', error });
  } finally {
    running.delete(id);
    startNext();
  }
  void queryClient.invalidateQueries({ queryKey: trpc.documents.list.queryKey() });
}

async function createDocument(file: File, target: UploadTarget, signal: AbortSignal): Promise<void> {
  const { fileId, sha256 } = await client.files.upload.mutate(file, { signal });
  try {
    signal.throwIfAborted();
    await client.documents.create.mutate({
      ...target,
      documentType: documentTypeOf(file.name),
      documentName: file.name,
      file: { fileId, sha256, fileName: file.name, ...(file.type && { mediaType: file.type }) },
    });
  } catch (error) {
    // The file is sent again where it is tried again. Else the server forgets it after a day.
    client.files.discard.mutate({ fileId }).catch(() => {});
    throw error;
  }
}

function change(id: number, changed: Partial<Upload>): void {
  update(uploads.map((upload) => (upload.id === id ? { ...upload, ...changed } : upload)));
}

function update(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// What is not uploaded yet is lost with the page: the browser asks.
window.addEventListener('beforeunload', (event) => {
  if (running.size > 0) event.preventDefault();
});
