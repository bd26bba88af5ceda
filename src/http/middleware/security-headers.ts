import type { RequestHandler } from 'express';

const YEAR_SECONDS = 31_536_000;

/** What every answer tells browsers; a page with scripts of its own has another policy. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export const setSecurityHeaders: RequestHandler = (req, res, next) => {
  res.set(SECURITY_HEADERS);
  if (req.secure) res.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
  next();
};

/** Answers of the API are one caller's business. */
export const setNoStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
