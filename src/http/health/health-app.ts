import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { errorHandler, notFoundHandler } from '../../rest-facade/error-handler.js';
import { assignRequestId } from '../middleware/request-id.js';
import { setNoStore, setSecurityHeaders } from '../middleware/security-headers.js';
import { createLogError } from '../request/log-error.js';
import { serveHealth } from './health.js';
import type { Readiness } from './readiness.js';

/** The Express application of a process that answers no requests: its health checks alone. */
export function createHealthApp({
  readiness,
  log,
}: {
  readiness: () => Promise<Readiness>;
  log: Logger;
}): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(assignRequestId(log), setSecurityHeaders, setNoStore);
  app.use(serveHealth(readiness));
  app.use(notFoundHandler);
  app.use(errorHandler(createLogError(log)));
  return app;
}
