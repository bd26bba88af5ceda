import { Router } from 'express';
import { RETRY_AFTER_SECONDS } from '../../errors/errors.js';
import type { Readiness } from './readiness.js';

/**
 * `GET /healthz`: liveness, and the version. `GET /readyz`: readiness of the database, which may be read-only; search may be degraded.
 *
 * @param options.stopping fires when the server is about to stop, and should get no further requests
 */
export function serveHealth(
  readiness: () => Promise<Readiness>,
  { version, stopping }: { version: string; stopping: AbortSignal },
): Router {
  const routes = Router();
  routes.get('/healthz', (_req, res) => {
    res.json({ status: 'ok', version });
  });
  routes.get('/readyz', async (_req, res) => {
    if (stopping.aborted) {
      res.status(503).json({ status: 'stopping', reason: 'The server stops; ask another one.' });
      return;
    }
    const { database, search } = await readiness();
    if (database !== 'unavailable') {
      res.json({ status: 'ready', database, search });
      return;
    }
    res
      .status(503)
      .set('Retry-After', String(RETRY_AFTER_SECONDS))
      .json({ status: 'unavailable', database, reason: 'The database does not serve.' });
  });
  return routes;
}
