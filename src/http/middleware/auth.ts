import type { Request, RequestHandler, Response } from 'express';
import { unauthorized } from '../../errors.js';
import { type Context, toTrpcError } from '../../routers/index.js';
import { onFinished } from '../request/on-finished.js';
import { createKeyRevalidation } from './revalidate-keys.js';

/** Something that a request must pass before anything else is done for it. Refuses by throwing. */
export type Guard = (req: Request, res: Response) => Promise<void> | void;

type Access = Context['access'];

const REVALIDATE_INTERVAL_MS = 2_000;

/** Sends a request through the steps, in their order; the first refusal is the answer, and its body stays unread. */
export const applyGuards =
  (steps: Guard[]): RequestHandler =>
  async (req, res, next) => {
    try {
      for (const step of steps) await step(req, res);
    } catch (error) {
      const refusal = toTrpcError(error);
      if (refusal.code === 'UNAUTHORIZED') res.set('WWW-Authenticate', challenge(req));
      next(refusal);
      return;
    }
    next();
  };

/**
 * A guard's step: nobody passes without a key that is valid now. What goes on for long, such as a stream, is cut off when
 * its key is no more.
 *
 * @param recheckMs how often that is looked at
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

/** A guard's step in its place in open mode: everybody passes, and may do everything. */
export const allowAnonymous: Guard = (_req, res) => {
  res.locals.access = undefined;
};

/** What the guard found the caller to be allowed. */
export function keyAccessOf(res: Response): Access {
  // Absent is open mode: whoever was never asked must not get that.
  if (!('access' in res.locals)) throw new Error('A request has come past the guard.');
  return res.locals.access;
}

/** The key that a request came with, in whatever header; undefined where it is not one. */
export function apiKeyOf(req: Request): string | undefined {
  const [key, ...others] = readKeys(req);
  return others.length > 0 ? undefined : key;
}

/** What a caller without a valid key is asked for. */
const challenge = (req: Request): string =>
  `Bearer realm="Lectern"${readKeys(req).length > 0 ? ', error="invalid_token"' : ''}`;

/** The different keys that a request came with. */
function readKeys(req: Request): string[] {
  const [, token] = /^bearer +([^ ].*|)$/i.exec(req.get('authorization') ?? '') ?? [];
  return [...new Set([req.get('x-api-key'), token].filter((key) => key !== undefined))];
}
