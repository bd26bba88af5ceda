import type { CookieOptions, Request, Response } from 'express';
import { ATTEMPT_MS, generateAttemptSecret, isAttemptSecret } from '../../auth/sign-in/attempt.js';
import { cookieOf } from '../middleware/session-cookie.js';

const nameFor = ({ secure }: Request): string => (secure ? '__Host-lectern-sign-in' : 'lectern-sign-in');

/** Lax: the provider sends the browser back, from another site. */
const optionsFor = ({ secure }: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  secure,
  path: '/',
});

/** The secret of the sign-ins that a browser has begun. */
export function attemptSecretOf(req: Request): string | undefined {
  const secret = cookieOf(req, nameFor(req));
  return isAttemptSecret(secret) ? secret : undefined;
}

/** The same, or a new one; the browser keeps it until nobody signs in any more. */
export function keepAttemptSecret(req: Request, res: Response): string {
  const secret = attemptSecretOf(req) ?? generateAttemptSecret();
  res.cookie(nameFor(req), secret, { ...optionsFor(req), maxAge: ATTEMPT_MS });
  return secret;
}

export const clearAttemptSecret = (req: Request, res: Response): void =>
  void res.clearCookie(nameFor(req), optionsFor(req));
