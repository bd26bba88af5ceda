import type { CookieOptions, Request, Response } from 'express';
import { MAX_SESSION_MS } from '../../auth/session-expiry.js';
import type { Context } from '../../routers/index.js';

/**
 * The prefix has browsers take the cookie from this host alone, over https. Cookies know no ports: servers on one host
 * share it.
 */
const nameFor = ({ secure }: Request): string => (secure ? '__Host-lectern' : 'lectern');

/** The session of a request; undefined if missing or ambiguous. */
export const sessionTokenOf = (req: Request): string | undefined => cookieOf(req, nameFor(req));

/** A cookie of a request; undefined if missing or ambiguous. */
export function cookieOf(req: Request, name: string): string | undefined {
  const values = (req.get('cookie') ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
  // Whoever has a subdomain can add a cookie of the same name.
  const [token, ...others] = new Set(values);
  return others.length > 0 ? undefined : token;
}

const optionsFor = ({ secure }: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  secure,
  path: '/',
});

export const setSessionCookie = (req: Request, res: Response, token: string): void =>
  void res.cookie(nameFor(req), token, { ...optionsFor(req), maxAge: MAX_SESSION_MS });

/** Sets the cookie; undefined where the headers of the answer precede its calls. */
export function sessionCookieOf(req: Request, res: Response): Context['sessionCookie'] {
  if (req.get('trpc-accept') === 'application/jsonl') return undefined;
  return {
    set: (token) => setSessionCookie(req, res, token),
    outlive: () => {
      res.locals.outlivesCredential = true;
    },
    clear: () => void res.clearCookie(nameFor(req), optionsFor(req)),
  };
}
