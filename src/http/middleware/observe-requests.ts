import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { ObserveRequest } from '../../metrics/prometheus/request-metrics.js';
import { traceIds } from '../../tracing/trace-ids.js';
import { routeOf } from '../request/route.js';
import { requestIdOf } from './request-id.js';

/** What tools ask for every few seconds. */
export const PROBES = /^\/(?:healthz|readyz|metrics)$/;

/** Logs and measures each request when it ends. */
export const observeRequests =
  ({ log, observe }: { log: Logger; observe: ObserveRequest }): RequestHandler =>
  (req, res, next) => {
    const start = performance.now();
    // Of a connection that is closed by the end there is no address any more.
    const { method, path, ip: address } = req;
    res.on('close', () => {
      const ms = performance.now() - start;
      const status = res.writableFinished ? res.statusCode : undefined;
      const route = routeOf(req);
      observe({ method, route, status, seconds: ms / 1000 });
      const level = PROBES.test(path) ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const { access, span } = res.locals;
      const { tenantId, keyId, user } = access ?? {};
      const about = { method, route, ...(route === 'none' && { path }), status, ms: Math.round(ms) };
      const message = status === undefined ? 'request cut off' : 'request';
      const ids = { requestId: requestIdOf(res), ...traceIds(span) };
      log[level]({ ...ids, ...about, tenantId, keyId, userKey: user?.key, address }, message);
    });
    next();
  };
