import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { errorHandler, notFoundHandler } from '../../rest-facade/error-handler.js';
import { assignRequestId } from '../middleware/request-id.js';
import { setNoStore, setSecurityHeaders } from '../middleware/security-headers.js';
import { createLogError } from '../request/log-error.js';
import { type MetricsText, serveMetrics } from './serve-metrics.js';

/** The Express application of the port for metrics alone, which asks for no key. */
export function createMetricsApp(metrics: MetricsText, log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(assignRequestId, setSecurityHeaders, setNoStore);
  app.use(serveMetrics(metrics, []));
  app.use(notFoundHandler);
  app.use(errorHandler(createLogError(log)));
  return app;
}
