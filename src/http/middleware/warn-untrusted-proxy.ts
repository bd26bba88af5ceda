import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/** Warns once of a proxy in front whose word is not taken: then all callers seem to have its address. */
export function warnUntrustedProxy(log: Logger): RequestHandler {
  let hasWarned = false;
  return (req, _res, next) => {
    if (!hasWarned && req.get('x-forwarded-for') !== undefined) {
      hasWarned = true;
      log.warn(
        'requests come with X-Forwarded-For, which is not believed: if a proxy stands in front, set TRUST_PROXY, or limits and the audit trail take its address for that of every caller',
      );
    }
    next();
  };
}
