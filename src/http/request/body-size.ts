import type { Request } from 'express';

/** Bytes are reported in steps of this size. */
const STEP_BYTES = 1024 * 1024;

/** Smaller bodies are not counted. */
export const MIN_COUNTED_BYTES = 64 * 1024;

/** Whether the request is a file upload (multipart form, or octet stream over tRPC). */
export const isUpload = (req: Request): boolean =>
  Boolean(req.is(['multipart/form-data', 'application/octet-stream']));

/** Whether the body has a content encoding. */
export const isCompressed = (req: Request): boolean =>
  (req.get('content-encoding') ?? 'identity') !== 'identity';

/** Declared body size (Content-Length); undefined for chunked bodies. */
export function declaredBytes(req: Request): number | undefined {
  return req.headers['transfer-encoding'] === undefined ? Number(req.get('content-length') ?? 0) : undefined;
}

/** Reports the bytes of a body in steps. Small bodies are not reported. */
export function countInSteps(onBytes: (bytes: number) => void) {
  let [counted, uncounted] = [0, 0];
  const reportAll = () => {
    if (uncounted === 0 || counted + uncounted < MIN_COUNTED_BYTES) return;
    onBytes(uncounted);
    [counted, uncounted] = [counted + uncounted, 0];
  };
  const add = (bytes: number) => {
    uncounted += bytes;
    if (uncounted >= STEP_BYTES) reportAll();
  };
  return { add, reportAll };
}

/** Reports the bytes of an upload as they come, without consuming the stream. */
export function countBodyBytes(req: Request, onBytes: (bytes: number) => void): void {
  const { add, reportAll } = countInSteps(onBytes);
  const listenAsWell = (event: string | symbol) => {
    if (event !== 'data') return;
    req.off('newListener', listenAsWell);
    req.on('data', (bytes: Buffer) => add(bytes.length));
  };
  // Adding a `data` listener now would start the flow before the body parser listens.
  req.on('newListener', listenAsWell);
  req.once('close', reportAll);
}
