import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import type { ConsoleFile, ConsoleFiles } from './console-files.js';
import { CONSOLE_PATHS } from './console-paths.js';
import { CONSOLE_CSP, PDF_WORKER_CSP } from './console-policy.js';

const PAGE = 'index.html';
const PDF_WORKER = /^pdf\.worker\./;
const ENDINGS = { br: '.br', gzip: '.gz' };

/** `GET /assets/…`: files whose names have a hash of their content. */
export function serveConsoleAssets({ folder, files }: ConsoleFiles): Router {
  const routes = Router();
  routes.get('/assets/:name', (req, res, next) => {
    const name = `assets/${req.params.name}`;
    const file = files.get(name);
    if (!file) return next();
    res.set('Cache-Control', 'public, max-age=31536000, immutable');
    if (PDF_WORKER.test(req.params.name)) res.set('Content-Security-Policy', PDF_WORKER_CSP);
    send(req, res, path.join(folder, name), file);
  });
  return routes;
}

/** The console's page, for browsers, at each path that it has a route for. */
export function serveConsolePage({ folder, files }: ConsoleFiles): Router {
  const routes = Router();
  const page = files.get(PAGE);
  routes.get(CONSOLE_PATHS, (req, res, next) => {
    // `Accept: * /*` gets JSON.
    if (!page || req.accepts(['json', 'html']) !== 'html') return next();
    res.vary('Accept');
    res.set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': CONSOLE_CSP,
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    send(req, res, path.join(folder, PAGE), page);
  });
  return routes;
}

/** Sends a file in the best encoding that the client accepts, or that nothing has changed. */
function send(req: Request, res: Response, file: string, { type, encodings, etag }: ConsoleFile): void {
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
