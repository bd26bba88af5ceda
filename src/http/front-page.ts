import { type Request, type Response, Router } from 'express';
import { FRONT_PAGE_POLICY, renderFrontPage } from './front-page-html.js';
import type { Readiness } from './readiness.js';

export interface FrontPageOptions {
  readiness: () => Promise<Readiness>;
  version: string;
  /** Whether callers need an API key. */
  needsKey: boolean;
}

const NAME = 'Lectern';
const LINKS = { reference: '/docs', openapi: '/openapi.json', health: '/healthz', readiness: '/readyz' };

/** `GET /`, for whoever comes by: what this is and how it is, as a page for people and as JSON for programs. */
export function serveFrontPage({ readiness, version, needsKey }: FrontPageOptions): Router {
  const routes = Router();
  routes.get('/', async (req: Request, res: Response) => {
    const state = await readiness();
    res.vary('Accept');
    // Who takes anything is a program.
    if (req.accepts(['json', 'html']) === 'html') {
      res.set('Content-Security-Policy', FRONT_PAGE_POLICY).type('html');
      res.send(renderFrontPage({ version, needsKey, state, origin: originOf(req) }));
      return;
    }
    const status = state.database === 'ok' ? 'ready' : 'unavailable';
    res.json({ name: NAME, version, status, ...state, needsKey, links: LINKS });
  });
  return routes;
}

/** Where the reader has found the page. What is no plain address does not get into commands. */
function originOf(req: Request): string {
  const host = req.get('host') ?? '';
  const { localAddress, localPort } = req.socket;
  const isPlain = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host);
  return `${req.protocol}://${isPlain ? host : `${localAddress?.includes(':') ? 'localhost' : localAddress}:${localPort}`}`;
}
