import { useEffect, useRef, useState } from 'react';
import { client, type Document, type Inputs } from '../../../api/trpc';
import { useRefreshDocuments } from '../use-documents';

export interface Upload {
  file: File;
  state: 'waiting' | 'uploading' | 'added' | 'failed';
  /** Why it failed. */
  error?: unknown;
}

type Target = Pick<Inputs['documents']['create'], 'scope' | 'datasetIds'>;

const TABLE = /\.(?:csv|tsv|xlsx?|ods)$/i;
const documentTypeOf = ({ name }: File): Document['documentType'] =>
  TABLE.test(name) ? 'StructuredFile' : 'UnstructuredFile';

/** Uploads of files, and how far each is. What has not begun when the component is gone does not begin. */
export function useUploads(files: File[]) {
  const refresh = useRefreshDocuments();
  const [states, setStates] = useState<Record<number, Omit<Upload, 'file'>>>({});
  const [isRunning, setRunning] = useState(false);
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);

  async function start(target: Target): Promise<void> {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setRunning(true);
    for (const [place, file] of files.entries()) {
      if (signal.aborted) break;
      const setState = (state: Omit<Upload, 'file'>) => setStates((now) => ({ ...now, [place]: state }));
      setState({ state: 'uploading' });
      try {
        await add(file, target, signal);
        setState({ state: 'added' });
        void refresh();
      } catch (error) {
        setState({ state: 'failed', error });
      }
    }
    setRunning(false);
  }

  const uploads = files.map((file, place): Upload => ({ file, ...(states[place] ?? { state: 'waiting' }) }));
  const isDone = uploads.length > 0 && uploads.every(({ state }) => state === 'added' || state === 'failed');
  return { uploads, isRunning, isDone, start };
}

async function add(file: File, target: Target, signal: AbortSignal): Promise<void> {
  const { fileId, sha256 } = await client.files.upload.mutate(file, { signal });
  await client.documents.create.mutate(
    {
      ...target,
      documentType: documentTypeOf(file),
      documentName: file.name,
      file: { fileId, sha256, fileName: file.name, ...(file.type && { mediaType: file.type }) },
    },
    { signal },
  );
}
