import type { Request, RequestHandler, Response } from 'express';
import { forbidden, unauthorized } from '../../errors/errors.js';
import { type Context, toTrpcError } from '../../routers/index.js';
import { onFinished } from '../request/on-finished.js';
import { isFromOwnPage } from '../request/page-origin.js';
import { type Credential, credentialOf, readKeys } from './credential.js';
import { createRevalidation } from './revalidate-credentials.js';

/** A check before a route. Rejects by throwing. */
export type Guard = (req: Request, res: Response) => Promise<void> | void;

type Access = Context['access'];

const REVALIDATE_INTERVAL_MS = 2_000;

/** The WWW-Authenticate challenge. */
export const challenge = (req: Request): string =>
  `Bearer realm="Lectern"${readKeys(req).length > 0 ? ', error="invalid_token"' : ''}`;

/** Runs guards in order; the first rejection is the response, and the body is not read. */
export const applyGuards =
  (steps: Guard[], challengeOf = challenge): RequestHandler =>
  async (req, res, next) => {
    try {
      for (const step of steps) {
        const pending = step(req, res);
        if (pending) await pending;
      }
    } catch (error) {
      const refusal = toTrpcError(error);
      if (refusal.code === 'UNAUTHORIZED') res.set('WWW-Authenticate', challengeOf(req));
      next(refusal);
      return;
    }
    next();
  };

/**
 * Guard: requires a valid API key or token, or a session from a page of this server. Long-running requests, such as streams, are
 * aborted when the key is revoked or expires, the token expires or its user loses a role, or the session ends.
 *
 * @param recheckMs interval of revalidation
 */
export function requireCredential(
  authenticate: (credential: Credential) => Promise<NonNullable<Access>>,
  recheckMs = REVALIDATE_INTERVAL_MS,
): Guard {
  const revalidate = createRevalidation(authenticate, recheckMs);
  return async (req, res) => {
    const credential = credentialOf(req);
    if (credential === undefined) throw unauthorized();
    // Browsers add the cookie by themselves, also to requests of pages on other ports and subdomains.
    if (credential.kind === 'session' && !isFromOwnPage(req))
      throw forbidden('Sessions are only for pages of this server.');
    const access = await authenticate(credential);
    res.locals.access = access;
    const valid = new AbortController();
    res.locals.credentialSignal = valid.signal;
    onFinished(
      res,
      revalidate(credential, access, (reason) => {
        if (res.locals.outlivesCredential) return;
        valid.abort(reason);
        res.destroy();
      }),
    );
  };
}

/** Guard of open mode: allows everything. */
export const allowAnonymous: Guard = (_req, res) => {
  res.locals.access = undefined;
};

/** The access of the authenticated key or token; undefined in open mode. */
export function keyAccessOf(res: Response): Access {
  // Undefined means open mode, so a request that was never authenticated must not get it.
  if (!('access' in res.locals)) throw new Error('A request was not authenticated.');
  return res.locals.access;
}

/** Aborts when the key, token or session of the request is no longer valid; undefined in open mode. */
export const credentialSignalOf = (res: Response): AbortSignal | undefined => res.locals.credentialSignal;
