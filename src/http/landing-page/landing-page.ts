import { type Request, type Response, Router } from 'express';
import type { SignInProvider } from '../../auth/sign-in/providers.js';
import type { Readiness } from '../health/readiness.js';
import { LANDING_PAGE_CSP, renderLandingPage } from './landing-page-html.js';

export interface LandingPageOptions {
  readiness: () => Promise<Readiness>;
  version: string;
  /** Whether callers need an API key. */
  needsKey: boolean;
  /** By which people sign in to the console. */
  providers?: readonly SignInProvider[] | undefined;
  /** Whether there is a guide to lead to. */
  hasGuide: boolean;
}

const NAME = 'Lectern';
const LINKS = { reference: '/docs', openapi: '/openapi.json', health: '/healthz', readiness: '/readyz' };

/** `GET /`: name, version and status, as HTML or JSON by `Accept`. */
export function serveLandingPage({
  readiness,
  version,
  needsKey,
  providers,
  hasGuide,
}: LandingPageOptions): Router {
  const signIn = providers?.map(({ id, name, issuer, startUrl }) => ({
    id,
    name,
    issuer: issuer.issuer,
    url: startUrl,
  }));
  const routes = Router();
  routes.get('/', async (req: Request, res: Response) => {
    const state = await readiness();
    res.vary('Accept');
    // `Accept: * /*` gets JSON.
    if (req.accepts(['json', 'html']) === 'html') {
      res.set('Content-Security-Policy', LANDING_PAGE_CSP).type('html');
      res.send(renderLandingPage({ version, needsKey, hasGuide, state, origin: originOf(req) }));
      return;
    }
    const status = state.database === 'unavailable' ? 'unavailable' : 'ready';
    res.json({ name: NAME, version, status, ...state, needsKey, ...(signIn && { signIn }), links: LINKS });
  });
  return routes;
}

/** The origin as the client sees it. An unusual Host header is not copied into commands. */
function originOf(req: Request): string {
  const host = req.get('host') ?? '';
  const { localAddress, localPort } = req.socket;
  const isPlain = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host);
  return `${req.protocol}://${isPlain ? host : `${localAddress?.includes(':') ? 'localhost' : localAddress}:${localPort}`}`;
}
