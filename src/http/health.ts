import { Router } from 'express';
import type { Logger } from 'pino';
import { RETRY_AFTER_SECONDS } from '../errors.js';

export interface HealthChecks {
  /** Rejects with the reason when the database does not serve. */
  database: () => Promise<void>;
  search: () => Promise<{ available: boolean; reason?: string }>;
}

/** `GET /healthz`: the process lives. `GET /readyz`: the database serves; search may be degraded. */
export function serveHealth({ database, search }: HealthChecks, log: Logger): Router {
  const routes = Router();
  routes.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  routes.get('/readyz', async (_req, res) => {
    try {
      await database();
    } catch (error) {
      // Everybody may ask, and the error tells of hosts and users.
      log.warn({ err: error }, 'the database does not serve');
      res
        .status(503)
        .set('Retry-After', String(RETRY_AFTER_SECONDS))
        .json({ status: 'unavailable', database: 'unavailable', reason: 'The database does not serve.' });
      return;
    }
    const { available } = await search();
    res.json({ status: 'ready', database: 'ok', search: available ? 'ok' : 'degraded' });
  });
  return routes;
}
