import type { HTTPLinkOptions } from '@trpc/client';

type Fetch = NonNullable<HTTPLinkOptions<never>['fetch']>;

const listeners = new WeakMap<object, (fraction: number) => void>();

/** Calls back with the share of a file that was sent, from 0 to 1, while it is uploaded. */
export function onUploadProgress(file: Blob, listener: (fraction: number) => void): void {
  listeners.set(file, listener);
}

/** Sends a file as `fetch` does, which itself does not tell how much of it was sent. */
export const fetchWithProgress: Fetch = (input, { method = 'POST', headers, body, signal } = {}) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, String(input));
    for (const [name, value] of new Headers(headers as HeadersInit)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) listeners.get(body as File)?.(loaded / total);
    };
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(new TypeError('The upload was not answered.'));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    if (signal?.aborted) reject(new DOMException('The upload was cancelled.', 'AbortError'));
    else request.send(body as File);
  });
