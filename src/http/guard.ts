import type { Request, RequestHandler, Response } from 'express';
import { unauthorized } from '../errors.js';
import { type Context, toTrpcError } from '../routers/index.js';

/** Something that a request must pass before anything else is done for it. Refuses by throwing. */
export type GuardStep = (req: Request, res: Response) => Promise<void> | void;

type Access = Context['access'];

/** Sends a request through the steps, in their order; the first refusal is the answer, and its body stays unread. */
export const guard =
  (steps: GuardStep[]): RequestHandler =>
  async (req, res, next) => {
    try {
      for (const step of steps) await step(req, res);
    } catch (error) {
      next(toTrpcError(error));
      return;
    }
    next();
  };

/** A guard's step: nobody passes without a key that is valid now. */
export const requireKey =
  (authenticate: (key: string) => Promise<NonNullable<Access>>): GuardStep =>
  async (req, res) => {
    const [key, ...others] = readKeys(req);
    const problem = key === undefined ? '' : ', error="invalid_token"';
    res.set('WWW-Authenticate', `Bearer realm="Lectern"${problem}`);
    if (key === undefined || others.length > 0) throw unauthorized();
    res.locals.access = await authenticate(key);
    res.removeHeader('WWW-Authenticate');
  };

/** A guard's step in its place in open mode: everybody passes, and may do everything. */
export const admitEverybody: GuardStep = (_req, res) => {
  res.locals.access = undefined;
};

/** What the guard found the caller to be allowed. */
export function accessOf(res: Response): Access {
  // Absent is open mode: whoever was never asked must not get that.
  if (!('access' in res.locals)) throw new Error('A request has come past the guard.');
  return res.locals.access;
}

/** The different keys that a request came with. */
function readKeys(req: Request): string[] {
  const [, token] = /^bearer +(.*)$/i.exec(req.get('authorization') ?? '') ?? [];
  return [...new Set([req.get('x-api-key'), token].filter((key) => key !== undefined))];
}
