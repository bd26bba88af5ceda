import type { RequestHandler } from 'express';

const YEAR_SECONDS = 31_536_000;

/** Security headers of every response; pages with scripts override the CSP. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export const setSecurityHeaders: RequestHandler = (req, res, next) => {
  for (const name in SECURITY_HEADERS)
    res.setHeader(name, SECURITY_HEADERS[name as keyof typeof SECURITY_HEADERS]);
  if (req.secure) res.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
  next();
};

/** API responses must not be cached. */
export const setNoStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
