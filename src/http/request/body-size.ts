import type { Request } from 'express';

/** Large enough that counting costs little, small enough that nobody gets far ahead of it. */
const STEP_BYTES = 1024 * 1024;

/** What is smaller costs its request alone. */
export const MIN_COUNTED_BYTES = 64 * 1024;

/** Whether a request brings a file: a form, or over tRPC the file itself. */
export const isUpload = (req: Request): boolean =>
  Boolean(req.is(['multipart/form-data', 'application/octet-stream']));

/** Whether a body is compressed, and so larger than it looks. */
export const isCompressed = (req: Request): boolean =>
  (req.get('content-encoding') ?? 'identity') !== 'identity';

/** How long the body is, where the client says it. */
export function declaredBytes(req: Request): number | undefined {
  return req.headers['transfer-encoding'] === undefined ? Number(req.get('content-length') ?? 0) : undefined;
}

/** Tells how many bytes of a body have come, a part at a time, while somebody else reads it. Of a small one nothing. */
export function countBodyBytes(req: Request, tell: (bytes: number) => void): void {
  let [told, untold] = [0, 0];
  const tellAll = () => {
    if (untold === 0 || told + untold < MIN_COUNTED_BYTES) return;
    tell(untold);
    [told, untold] = [told + untold, 0];
  };
  const listenAsWell = (event: string | symbol) => {
    if (event !== 'data') return;
    req.off('newListener', listenAsWell);
    req.on('data', (bytes: Buffer) => {
      untold += bytes.length;
      if (untold >= STEP_BYTES) tellAll();
    });
  };
  // A listener of ours would make the body flow before its reader is there.
  req.on('newListener', listenAsWell);
  req.once('close', tellAll);
}
