import path from 'node:path';
import type { Request, Response } from 'express';
import type { StaticFile } from './static-files.js';

const ENDINGS = { br: '.br', gzip: '.gz' };

/** Sends a file in the best encoding that the client accepts, or that nothing has changed. */
export function sendStaticFile(
  req: Request,
  res: Response,
  file: string,
  { type, encodings, etag }: StaticFile,
): void {
  res.set({ 'Content-Type': type, ETag: etag });
  if (encodings.length > 0) res.vary('Accept-Encoding');
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  // In the order of the list: asked for all at once, Express prefers what the client names first.
  const encoding = encodings.find((one) => req.acceptsEncodings(one) === one);
  if (encoding) res.set('Content-Encoding', encoding);
  res.sendFile(path.basename(file) + (encoding ? ENDINGS[encoding] : ''), {
    root: path.dirname(file),
    acceptRanges: false,
    cacheControl: false,
    etag: false,
    lastModified: false,
  });
}
