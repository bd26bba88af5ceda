import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto'];

/** Warns once about an untrusted proxy: all clients then seem to have its address. */
export function warnUntrustedProxy(log: Logger): RequestHandler {
  let hasWarned = false;
  return (req, _res, next) => {
    if (!hasWarned && FORWARDED.some((name) => req.headers[name] !== undefined)) {
      hasWarned = true;
      log.warn(
        { peer: req.socket.remoteAddress },
        "requests have X-Forwarded-For or X-Forwarded-Proto, which are not trusted: behind a proxy set TRUST_PROXY, or rate limits and the audit log use the proxy's address for every client, and people behind https cannot sign in",
      );
    }
    next();
  };
}
