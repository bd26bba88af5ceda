import type { CookieOptions, Request, Response } from 'express';
import { MAX_SESSION_MS } from '../../auth/session-expiry.js';
import type { Context } from '../../routers/index.js';

/**
 * The prefix has browsers take the cookie from this host alone, over https. Cookies know no ports: servers on one host
 * share it.
 */
const nameFor = ({ secure }: Request): string => (secure ? '__Host-lectern' : 'lectern');

/** The session of a request; undefined if missing or ambiguous. */
export function sessionTokenOf(req: Request): string | undefined {
  const name = nameFor(req);
  const values = (req.get('cookie') ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
  // Whoever has a subdomain can add a cookie of the same name.
  const [token, ...others] = new Set(values);
  return others.length > 0 ? undefined : token;
}

/** Sets the cookie; undefined where the headers of the answer precede its calls. */
export function sessionCookieOf(req: Request, res: Response): Context['sessionCookie'] {
  if (req.get('trpc-accept') === 'application/jsonl') return undefined;
  const options: CookieOptions = { httpOnly: true, sameSite: 'strict', secure: req.secure, path: '/' };
  return {
    set: (token) => void res.cookie(nameFor(req), token, { ...options, maxAge: MAX_SESSION_MS }),
    outlive: () => {
      res.locals.outlivesCredential = true;
    },
    clear: () => void res.clearCookie(nameFor(req), options),
  };
}
