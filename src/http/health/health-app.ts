import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { errorHandler, notFoundHandler } from '../../rest-facade/error-handler.js';
import { type MetricsText, requireOperations, serveMetrics } from '../metrics/serve-metrics.js';
import type { Guard } from '../middleware/auth.js';
import { assignRequestId } from '../middleware/request-id.js';
import { setNoStore, setSecurityHeaders } from '../middleware/security-headers.js';
import { createLogError } from '../request/log-error.js';
import { serveHealth } from './health.js';
import type { Readiness } from './readiness.js';

/** The Express application of a process that answers no requests: its health checks and metrics alone. */
export function createHealthApp({
  readiness,
  stopping,
  guards,
  metrics,
  log,
}: {
  readiness: () => Promise<Readiness>;
  /** Fires when the server is about to stop. */
  stopping: AbortSignal;
  /** Of the metrics. */
  guards: Guard[];
  /** Absent where they have a port of their own. */
  metrics: MetricsText | undefined;
  log: Logger;
}): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(assignRequestId, setSecurityHeaders, setNoStore);
  app.use(serveHealth(readiness, stopping));
  if (metrics) app.use(serveMetrics(metrics, [...guards, requireOperations]));
  app.use(notFoundHandler);
  app.use(errorHandler(createLogError(log)));
  return app;
}
