import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import { CONSOLE_CSP } from '../console/console-policy.js';
import { sendStaticFile } from '../static-files/send-static-file.js';
import type { StaticFiles } from '../static-files/static-files.js';

const ROOT = '/docs/guide';
const INDEX = 'index.html';
const NOT_FOUND = '404.html';

/** `GET /docs/guide/…`: the guide as pages and as Markdown; browsers get a page for unknown paths, too. */
export function serveGuide({ folder, files }: StaticFiles): Router {
  const routes = Router();
  const send = (req: Request, res: Response, name: string) => {
    const file = files.get(name);
    if (!file) return false;
    res.set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': CONSOLE_CSP,
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    sendStaticFile(req, res, path.join(folder, name), file);
    return true;
  };
  routes.get(`${ROOT}{/*names}`, (req, res, next) => {
    const name = [req.params.names ?? []].flat().join('/');
    // Links of a page are relative to its folder.
    const isFolder = files.has(path.posix.join(name, INDEX));
    if (isFolder && !req.path.endsWith('/')) return res.redirect(308, path.posix.join(ROOT, name, '/'));
    if (send(req, res, isFolder ? path.posix.join(name, INDEX) : name)) return;
    res.vary('Accept');
    if (req.accepts(['json', 'html']) !== 'html') return next();
    res.status(404);
    if (!send(req, res, NOT_FOUND)) next();
  });
  return routes;
}
