import type { RequestHandler } from 'express';
import { withSpan } from '../../tracing/spans.js';
import type { Tracing } from '../../tracing/tracing.js';
import { onFinished } from '../request/on-finished.js';
import { routeOf } from '../request/route.js';
import { PROBES } from './observe-requests.js';
import { requestIdOf } from './request-id.js';

const MAX_PATH = 500;

/** A span for each request, in the trace of its client if it names one; in `res.locals.span`. Probes have none. */
export const traceRequests =
  (tracing: Tracing): RequestHandler =>
  (req, res, next) => {
    if (PROBES.test(req.path)) return next();
    const { method } = req;
    const span = tracing.startTrace(method, {
      kind: 'server',
      parent: tracing.propagates ? req.get('traceparent') : undefined,
      attributes: {
        'http.request.method': method,
        'url.scheme': req.protocol,
        'lectern.request_id': requestIdOf(res),
      },
    });
    res.locals.span = span;
    onFinished(res, () => {
      const route = routeOf(req);
      const { tenantId, keyId, user } = res.locals.access ?? {};
      const status = res.writableFinished ? res.statusCode : undefined;
      span.rename(route === 'none' ? method : `${method} ${route}`);
      span.set({
        ...(route !== 'none' && {
          'http.route': route,
          'url.path': req.originalUrl.split('?', 1)[0]?.slice(0, MAX_PATH),
        }),
        'http.response.status_code': status,
        'lectern.tenant_id': tenantId,
        'lectern.key_id': keyId,
        'lectern.user_key': user?.key,
      });
      if (status === undefined) span.fail('cut_off');
      else if (status >= 500) span.fail(String(status));
      span.end();
    });
    withSpan(span, next);
  };
