import express, { type Express, type Router } from 'express';
import type { Logger } from 'pino';
import { errorHandler, notFoundHandler } from '../rest-facade/error-handler.js';
import { assignRequestId } from './middleware/request-id.js';
import { setNoStore, setSecurityHeaders } from './middleware/security-headers.js';
import { createLogError } from './request/log-error.js';

/** An Express application of a few routes, without API and console: of a worker, or of the port for metrics. */
export function createPlainApp(routes: Router[], log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(assignRequestId, setSecurityHeaders, setNoStore);
  for (const route of routes) app.use(route);
  app.use(notFoundHandler);
  app.use(errorHandler(createLogError(log)));
  return app;
}
