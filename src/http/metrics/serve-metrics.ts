import { Router } from 'express';
import { forbidden } from '../../errors/errors.js';
import { applyGuards, type Guard, keyAccessOf } from '../middleware/auth.js';

export interface MetricsText {
  contentType: string;
  read(): Promise<string>;
}

/** `GET /metrics`, in the text format of Prometheus. */
export function serveMetrics({ contentType, read }: MetricsText, guards: Guard[]): Router {
  const routes = Router();
  routes.get('/metrics', applyGuards(guards), async (_req, res) => {
    res.set('Content-Type', contentType).send(await read());
  });
  return routes;
}

/** Guard, after those that authenticate: the figures are of all tenants. */
export const requireOperations: Guard = (_req, res) => {
  const access = keyAccessOf(res);
  if (access && !access.permissions.includes('operations'))
    throw forbidden('The metrics are for keys with the permission operations.');
};
