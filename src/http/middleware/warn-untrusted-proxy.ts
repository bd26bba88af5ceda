import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/** Warns once about an untrusted proxy: all clients then seem to have its address. */
export function warnUntrustedProxy(log: Logger): RequestHandler {
  let hasWarned = false;
  return (req, _res, next) => {
    if (!hasWarned && req.get('x-forwarded-for') !== undefined) {
      hasWarned = true;
      log.warn(
        "requests have X-Forwarded-For, which is not trusted: behind a proxy set TRUST_PROXY, or rate limits and the audit log use the proxy's address for every client",
      );
    }
    next();
  };
}
