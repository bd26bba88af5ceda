/** What can be uploaded. A stream is sent once; the others again where a connection breaks. */
export type FileContent = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface UploadProgress {
  sentBytes: number;
  /** Undefined where the length of a stream is not known. */
  totalBytes: number | undefined;
}

interface Sending {
  fetch: typeof globalThis.fetch;
  headers: Record<string, string>;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** What is needed of the class that browsers have. */
interface Xhr {
  responseType: string;
  readonly status: number;
  readonly response: ArrayBuffer;
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

/** Posts a file, and says how much of it is sent. Aborting the signal ends it. */
export async function sendFile(url: string, content: FileContent, sending: Sending): Promise<Response> {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => Xhr };
  // Browsers neither stream bodies everywhere nor tell how much is sent, except here.
  if (XMLHttpRequest) return sendByXhr(new XMLHttpRequest(), url, await toBlob(content), sending);
  const { fetch, headers, onProgress, signal } = sending;
  const isStream = onProgress !== undefined || content instanceof ReadableStream;
  const body = isStream ? countBytes(content, { onProgress, signal }) : content;
  const init = {
    method: 'POST',
    headers,
    body,
    ...(isStream && { duplex: 'half' }),
    ...(signal && { signal }),
  };
  return fetch(url, init as RequestInit);
}

function sendByXhr(
  xhr: Xhr,
  url: string,
  body: Blob,
  { headers, onProgress, signal }: Sending,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => {
      xhr.abort();
      reject(signal.reason);
    });
    xhr.open('POST', url);
    xhr.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress?.({ sentBytes: loaded, totalBytes: total });
    xhr.onerror = () => reject(new TypeError('The connection broke.'));
    xhr.onload = () => resolve(new Response(xhr.response, { status: xhr.status, headers: readHeaders(xhr) }));
    xhr.send(body);
  });
}

const readHeaders = (xhr: Xhr) =>
  new Headers(
    xhr
      .getAllResponseHeaders()
      .trim()
      .split('\r\n')
      .flatMap((line): [string, string][] => {
        const end = line.indexOf(':');
        return end > 0 ? [[line.slice(0, end), line.slice(end + 1).trim()]] : [];
      }),
  );

const toBlob = async (content: FileContent): Promise<Blob> =>
  content instanceof ReadableStream ? new Response(content).blob() : new Blob([content]);

function countBytes(
  content: FileContent,
  { onProgress, signal }: Pick<Sending, 'onProgress' | 'signal'>,
): ReadableStream<Uint8Array> {
  const blob = content instanceof ReadableStream ? undefined : new Blob([content]);
  const source = content instanceof ReadableStream ? content : (blob as Blob).stream();
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      sentBytes += bytes.byteLength;
      controller.enqueue(bytes);
      onProgress?.({ sentBytes, totalBytes: blob?.size });
    },
  });
  // With the signal: an aborted fetch of Node.js reads on.
  return source.pipeThrough(counter, signal && { signal });
}
