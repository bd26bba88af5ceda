import { type TRPCClient, TRPCClientError } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../routers/app-router.js';
import { newIdempotencyKey } from './headers.js';
import { type RetryPolicy, withRetries } from './retrying-fetch.js';
import { type FileContent, sendFile, type UploadProgress } from './send-file.js';

type NewDocument = inferRouterInputs<AppRouter>['documents']['create'];
type Document = inferRouterOutputs<AppRouter>['documents']['create'];
type UploadedFile = inferRouterOutputs<AppRouter>['files']['upload'];

export interface UploadOptions {
  /** Called again and again while the file is sent. */
  onProgress?: (progress: UploadProgress) => void;
  /** Aborting it ends the upload, and nothing is left of it. */
  signal?: AbortSignal;
}

export interface AddFileOptions extends UploadOptions {
  /** Of the document; for a retry by the caller, which then adds nothing twice. */
  idempotencyKey?: string;
}

/** A document whose content is a file. The name is that of the file, unless given. */
export type NewFileDocument = Omit<NewDocument, 'file'> & {
  fileName?: string | undefined;
  mediaType?: string | undefined;
};

export interface Files {
  /** Uploads a file for `documents.create`. One that no document uses is deleted after a day. */
  uploadFile(content: FileContent, options?: UploadOptions): Promise<UploadedFile>;
  /** Uploads a file and creates its document. What cannot become a document is not kept. */
  addFile(content: FileContent, document: NewFileDocument, options?: AddFileOptions): Promise<Document>;
}

interface Target {
  url: string;
  fetch: typeof globalThis.fetch;
  headers: Record<string, string>;
  retry: RetryPolicy;
}

export function createFiles(trpc: TRPCClient<AppRouter>, { url, fetch, headers, retry }: Target): Files {
  return { uploadFile, addFile };

  async function uploadFile(content: FileContent, { onProgress, signal }: UploadOptions = {}) {
    const attempt = () =>
      sendFile(`${url}/files.upload`, content, {
        fetch,
        headers: { ...headers, 'Content-Type': 'application/octet-stream' },
        onProgress,
        signal,
      });
    const isOnce = content instanceof ReadableStream;
    // Uploading twice is harmless: what no document claims is deleted.
    const response = await withRetries(attempt, { retry: isOnce ? { attempts: 1 } : retry, signal }).catch(
      (error) => {
        throw TRPCClientError.from(error);
      },
    );
    return readResult<UploadedFile>(response);
  }

  async function addFile(
    content: FileContent,
    { fileName = nameOf(content), mediaType = typeOf(content), ...document }: NewFileDocument,
    { idempotencyKey = newIdempotencyKey(), ...options }: AddFileOptions = {},
  ) {
    const { fileId, sha256 } = await uploadFile(content, options);
    const file = { fileId, sha256, ...(fileName && { fileName }), ...(mediaType && { mediaType }) };
    try {
      return await trpc.documents.create.mutate(
        { ...document, file },
        { context: { idempotencyKey }, ...(options.signal && { signal: options.signal }) },
      );
    } catch (error) {
      await trpc.files.discard.mutate({ fileId }).catch(() => {});
      throw error;
    }
  }
}

async function readResult<T>(response: Response): Promise<T> {
  const meta = { response };
  const body = (await response.json().catch((error) => {
    throw TRPCClientError.from(error, { meta });
  })) as { error: never } | { result: { data: T } };
  if ('error' in body) throw TRPCClientError.from(body, { meta });
  return body.result.data;
}

const nameOf = (content: FileContent): string | undefined => (content as { name?: string }).name;
const typeOf = (content: FileContent): string | undefined =>
  content instanceof Blob && content.type !== '' ? content.type : undefined;
