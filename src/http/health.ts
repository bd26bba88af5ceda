import { Router } from 'express';

export interface HealthChecks {
  /** Rejects with the reason when the database does not serve. */
  database: () => Promise<void>;
  search: () => Promise<{ available: boolean; reason?: string }>;
}

/** `GET /healthz`: the process lives. `GET /readyz`: the database serves; search may be degraded. */
export function serveHealth({ database, search }: HealthChecks): Router {
  const routes = Router();
  routes.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  routes.get('/readyz', async (_req, res) => {
    try {
      await database();
    } catch (error) {
      const reason = `The database does not serve: ${(error as Error).message}`;
      res
        .status(503)
        .set('Retry-After', '2')
        .json({ status: 'unavailable', database: 'unavailable', reason });
      return;
    }
    const { available } = await search();
    res.json({ status: 'ready', database: 'ok', search: available ? 'ok' : 'degraded' });
  });
  return routes;
}
