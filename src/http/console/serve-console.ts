import path from 'node:path';
import { type RequestHandler, Router } from 'express';
import { sendStaticFile } from '../static-files/send-static-file.js';
import type { StaticFiles } from '../static-files/static-files.js';
import { CONSOLE_PATHS } from './console-paths.js';
import { CONSOLE_CSP, PDF_WORKER_CSP } from './console-policy.js';

const PAGE = 'index.html';
const PDF_WORKER = /^pdf\.worker\./;
/** A browser asks for files, such as favicon.ico, by itself. */
const NO_FILE = /^\/(?!assets\b|admin\b|trpc\b)[^.]*$/;

/** `GET /assets/…`: files whose names have a hash of their content. */
export function serveConsoleAssets({ folder, files }: StaticFiles): Router {
  const routes = Router();
  routes.get('/assets/:name', (req, res, next) => {
    const name = `assets/${req.params.name}`;
    const file = files.get(name);
    if (!file) return next();
    res.set('Cache-Control', 'public, max-age=31536000, immutable');
    if (PDF_WORKER.test(req.params.name)) res.set('Content-Security-Policy', PDF_WORKER_CSP);
    sendStaticFile(req, res, path.join(folder, name), file);
  });
  return routes;
}

/** The console's page, for browsers: at each path that it has a route for, and with status 404 where nothing else is. */
export function serveConsolePage({ folder, files }: StaticFiles): Router {
  const routes = Router();
  const page = files.get(PAGE);
  const send =
    (status: 200 | 404): RequestHandler =>
    (req, res, next) => {
      // `Accept: * /*` gets JSON.
      if (!page || req.accepts(['json', 'html']) !== 'html') return next();
      res.vary('Accept');
      res.status(status).set({
        'Cache-Control': status === 200 ? 'no-cache' : 'no-store',
        'Content-Security-Policy': CONSOLE_CSP,
        'Cross-Origin-Opener-Policy': 'same-origin',
      });
      sendStaticFile(req, res, path.join(folder, PAGE), page);
    };
  routes.get(CONSOLE_PATHS, send(200));
  routes.get(NO_FILE, send(404));
  return routes;
}
