import type { Request, RequestHandler, Response } from 'express';
import { unauthorized } from '../../errors.js';
import { type Context, toTrpcError } from '../../routers/index.js';
import { onFinished } from '../request/on-finished.js';
import { createKeyRevalidation } from './revalidate-keys.js';

/** A check before a route. Rejects by throwing. */
export type Guard = (req: Request, res: Response) => Promise<void> | void;

type Access = Context['access'];

const REVALIDATE_INTERVAL_MS = 2_000;

/** Runs guards in order; the first rejection is the response, and the body is not read. */
export const applyGuards =
  (steps: Guard[]): RequestHandler =>
  async (req, res, next) => {
    try {
      for (const step of steps) {
        const pending = step(req, res);
        if (pending) await pending;
      }
    } catch (error) {
      const refusal = toTrpcError(error);
      if (refusal.code === 'UNAUTHORIZED') res.set('WWW-Authenticate', challenge(req));
      next(refusal);
      return;
    }
    next();
  };

/**
 * Guard: requires a valid API key. Long-running requests, such as streams, are aborted when the key is
 * revoked or expires.
 *
 * @param recheckMs interval of revalidation
 */
export function requireApiKey(
  authenticate: (key: string) => Promise<NonNullable<Access>>,
  recheckMs = REVALIDATE_INTERVAL_MS,
): Guard {
  const revalidate = createKeyRevalidation(authenticate, recheckMs);
  return async (req, res) => {
    const key = apiKeyOf(req);
    if (key === undefined) throw unauthorized();
    res.locals.access = await authenticate(key);
    onFinished(
      res,
      revalidate(key, () => res.destroy()),
    );
  };
}

/** Guard of open mode: allows everything. */
export const allowAnonymous: Guard = (_req, res) => {
  res.locals.access = undefined;
};

/** The authenticated key's access; undefined in open mode. */
export function keyAccessOf(res: Response): Access {
  // Undefined means open mode, so a request that was never authenticated must not get it.
  if (!('access' in res.locals)) throw new Error('A request was not authenticated.');
  return res.locals.access;
}

/** The API key of a request, from X-Api-Key or Authorization; undefined if missing or ambiguous. */
export function apiKeyOf(req: Request): string | undefined {
  const [key, ...others] = readKeys(req);
  return others.length > 0 ? undefined : key;
}

/** The WWW-Authenticate challenge. */
const challenge = (req: Request): string =>
  `Bearer realm="Lectern"${readKeys(req).length > 0 ? ', error="invalid_token"' : ''}`;

/** All distinct keys of a request. */
function readKeys(req: Request): string[] {
  const [, token] = /^bearer +([^ ].*|)$/i.exec(req.get('authorization') ?? '') ?? [];
  return [...new Set([req.get('x-api-key'), token].filter((key) => key !== undefined))];
}
